import { desc, eq, getTableColumns } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import { hires } from '../../schema/tables/hires.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import { statement } from '../db/statement.ts'
import { hireTerm } from './hire-term.ts'
import type { AgentRow } from './queries.ts'

export type HireRow = typeof hires.$inferSelect

/** A hire with the agent it is of. */
export type HireOfAgent = { hire: HireRow; agent: AgentRow }

const hiresOf = statement({ wallet: hires.wallet, now: 'timestamptz' }, (db, $) => {
  const { status, expiresAt, endedAt } = hireTerm($.now)
  return db
    .select({
      hire: { ...getTableColumns(hires), status, expiresAt, endedAt },
      agent: getTableColumns(agents),
    })
    .from(hires)
    .innerJoin(agents, eq(agents.id, hires.agentId))
    .where(eq(hires.wallet, $.wallet))
    .orderBy(desc(hires.id))
})

/** Reads the wallet's hires as they are at `now`, newest first. */
export const selectHires = (db: Db, wallet: Wallet, now: Date): Promise<HireOfAgent[]> =>
  hiresOf.run(db, { wallet, now })
