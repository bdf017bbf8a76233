import { and, desc, eq, getTableColumns, gte, lte, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { optional, statement } from '../db/statement.ts'
import { hireTerm } from './hire-term.ts'
import type { AgentRow } from './queries.ts'

export type HireRow = typeof hires.$inferSelect

/** A hire with the agent it is of. */
export type HireOfAgent = { hire: HireRow; agent: AgentRow }

const hiresOf = statement(
  { wallet: hires.wallet, beforeId: optional(hires.id), limit: 'integer', now: 'timestamptz' },
  (db, $, shape: { isContinued: boolean }) => {
    const { status, expiresAt, endedAt } = hireTerm($.now)
    return (
      db
        .select({
          hire: { ...getTableColumns(hires), status, expiresAt, endedAt },
          agent: getTableColumns(agents),
        })
        .from(hires)
        .innerJoin(agents, eq(agents.id, hires.agentId))
        // The wallet as a range and in the order: no other index looks as if it would do, such as that of ids
        // for a wallet with many hires.
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
