import { and, desc, eq, getTableColumns, gte, lte, or, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/counterparties/request-queries.ts'
import { type PublicAgent, publicAgent } from '../column-queries.ts'
import { hireTerm, spentOf } from '../parts/hire-term.ts'
import type { HireRow } from './hire-queries.ts'

/** A hire with its agent, and the lamports that its hirer spent in the period and paid for requests. */
export type HireOfAgent = { hire: HireRow; agent: PublicAgent; spent: bigint; requestsPaid: bigint }

const hiresOf = read(
  { wallet: hires.wallet, beforeId: optional(hires.id), limit: 'integer', now: 'timestamptz' },
  (db, $, shape: { isContinued: boolean }) => {
    const { status, expiresAt, endedAt } = hireTerm($.now)
    return (
      db
        .select({
          hire: { ...getTableColumns(hires), status, expiresAt, endedAt },
          spent: spentOf({ ...hires, expiresAt }),
          requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
          agent: publicAgent,
        })
        .from(hires)
        .innerJoin(agents, eq(agents.id, hires.agentId))
        // The wallet is a range and part of the order, so that the planner cannot choose the index of ids.
        .where(
          and(
            gte(hires.wallet, $.wallet),
            shape.isContinued
              ? sql`(${hires.wallet}, ${hires.id}) < (${$.wallet}, ${$.beforeId})`
              : lte(hires.wallet, $.wallet),
          ),
        )
        .orderBy(desc(hires.wallet), desc(hires.id))
        .limit($.limit)
    )
  },
)

/** Reads up to `limit` hires of the wallet as of `now`, newest first, optionally after one. */
export const selectHires = (
  db: Db,
  wallet: Wallet,
  now: Date,
  page: { beforeId?: string | undefined; limit: number },
): Promise<HireOfAgent[]> =>
  hiresOf.run(db, { ...page, wallet, now }, { isContinued: page.beforeId !== undefined })

/**
 * Reads a hire with its agent as stored, for its hirer or the agent's owner. Only after a write in the same
 * transaction, when no end of a term is left to record.
 */
export const hireAsStored = read({ id: hires.id, wallet: hires.wallet }, (db, $) =>
  db
    .select({
      hire: getTableColumns(hires),
      agent: publicAgent,
      requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .where(and(eq(hires.id, $.id), or(eq(hires.wallet, $.wallet), eq(agents.pubkey, $.wallet)))),
)
