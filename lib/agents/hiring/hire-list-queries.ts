import { and, desc, eq, getTableColumns, gte, lte, or, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/dealings/request-queries.ts'
import { type PublicAgent, publicAgent } from '../column-queries.ts'
import { hireTerm, spentOf } from '../parts/hire-term.ts'
import type { HireRow } from './hire-queries.ts'

/** A hire with its agent, the lamports spent in its period, and those that its hirer paid for requests. */
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
        // The wallet as a range and in the order: no other index looks as if it would do, such as the one of
        // ids for a wallet with many hires.
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

/** Reads up to `limit` hires of the wallet as they are at `now`, newest first, after one if it is given. */
export const selectHires = (
  db: Db,
  wallet: Wallet,
  now: Date,
  page: { beforeId?: string | undefined; limit: number },
): Promise<HireOfAgent[]> =>
  hiresOf.run(db, { ...page, wallet, now }, { isContinued: page.beforeId !== undefined })

/**
 * Reads a hire with its agent, for its hirer or the agent's owner, as they are stored: after a write in the
 * same transaction, so that nothing of them can be due.
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
