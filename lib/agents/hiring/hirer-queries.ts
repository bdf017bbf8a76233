import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { type HireStatus, hireStatuses } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/counterparties/request-queries.ts'
import { hireTerm, periodStart, spentOf } from '../parts/hire-term.ts'
import type { PresentHire } from './hire-queries.ts'

/** A hire without its agent, with the sums of HireOfAgent. */
export type HireByHirer = { hire: PresentHire; spent: bigint; requestsPaid: bigint }

/** Higher than every id. */
const START = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

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
    const { status, expiresAt, endedAt, isLapsed } = hireTerm($.now)
    const isBefore = sql`${hires.id} < ${$.beforeId}`
    const inOrder = sql`${desc(hires.agentId)}, ${desc(hires.status)}, ${desc(hires.id)} limit ${$.limit}`
    // The first rows of each recorded status are one range of an index, in order.
    const recorded = sql`
      select first.id from unnest(${$.statuses}) as one_status, lateral (
        select ${hires.id} from ${hires}
        where (${hires.agentId}, ${hires.status}) >= (${$.agentId}, one_status)
          and (${hires.agentId}, ${hires.status}, ${hires.id}) < (${$.agentId}, one_status, ${$.beforeId})
          and not ${isLapsed}
        order by ${inOrder}) as first`
    // Also the few hires that have expired since the last job run.
    const lapsed = sql`
      select ${hires.id} from ${hires}
      where ${hires.agentId} = ${$.agentId} and ${isLapsed} and 'expired' = any (${$.statuses}) and ${isBefore}`
    const page = sql`
      select id from (${recorded} union all ${lapsed}) as found order by id desc limit ${$.limit}`
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
 * Reads up to `limit` hires of an agent as of `now`, newest first, optionally after one.
 * @returns undefined if the agent does not exist or is another wallet's
 */
export async function selectHiresOfAgent(
  db: Db,
  agent: { id: string; owner: Wallet },
  page: { status?: HireStatus | undefined; beforeId?: string | undefined; limit: number; now: Date },
): Promise<HireByHirer[] | undefined> {
  const rows = await hiresOfAgent.run(db, {
    ...page,
    agentId: agent.id,
    owner: agent.owner,
    statuses: page.status === undefined ? hireStatuses : [page.status],
    beforeId: page.beforeId ?? START,
  })
  if (rows.length === 0) return undefined
  return rows.flatMap(({ hire, ...sums }) => (hire === null ? [] : [{ hire, ...sums }]))
}
