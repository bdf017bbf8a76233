import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { hireStatuses } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/counterparties/request-queries.ts'
import { hireTerm, periodStart, spentOf } from '../parts/hire-term.ts'
import { AFTER_ALL, type HirePage, hiresInState, type PresentHire } from './hire-queries.ts'

/** A hire without its agent, with the sums of HireOfAgent. */
export type HireByHirer = { hire: PresentHire; spent: bigint; requestsPaid: bigint }

const hiresOfAgent = read(
  {
    agentId: hires.agentId,
    owner: agents.pubkey,
    statuses: 'text[]',
    beforeId: hires.id,
    limit: 'integer',
    now: 'timestamptz',
  },
  (db, $) => {
    const { status, expiresAt, endedAt } = hireTerm($.now)
    const isDue = sql`${hires.agentId} = ${$.agentId} and ${hires.status} = 'active' and ${hires.expiresAt} <= ${$.now}`
    const page = hiresInState(hires.agentId, { ...$, side: $.agentId }, isDue)
    // An agent without hires still returns a row, unlike an agent of another wallet.
    return db
      .select({
        hire: { ...getTableColumns(hires), status, expiresAt, endedAt, periodStart: periodStart(expiresAt) },
        spent: spentOf(expiresAt),
        requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
      })
      .from(agents)
      .leftJoin(hires, and(eq(hires.agentId, agents.id), sql`${hires.id} = any (array(${page}))`))
      .where(and(eq(agents.id, $.agentId), eq(agents.pubkey, $.owner)))
      .orderBy(desc(hires.id))
  },
)

/**
 * Reads a page of an agent's hires.
 * @returns undefined if the agent does not exist or is another wallet's
 */
export async function selectHiresOfAgent(
  db: Db,
  agent: { id: string; owner: Wallet },
  page: HirePage,
): Promise<HireByHirer[] | undefined> {
  const rows = await hiresOfAgent.run(db, {
    ...page,
    agentId: agent.id,
    owner: agent.owner,
    statuses: page.status === undefined ? hireStatuses : [page.status],
    beforeId: page.beforeId ?? AFTER_ALL,
  })
  if (rows.length === 0) return undefined
  return rows.flatMap(({ hire, ...sums }) => (hire === null ? [] : [{ hire, ...sums }]))
}
