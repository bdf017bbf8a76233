import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { type HireStatus, hireStatuses } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { requestsPaidOf } from '../../reputation/dealings/request-queries.ts'
import { hireTerm, spentOf } from '../parts/hire-term.ts'
import type { HireRow } from './hire-queries.ts'

/** A hire without its agent, with what of HireOfAgent is its own. */
export type HireByHirer = { hire: HireRow; spent: bigint; requestsPaid: bigint }

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
    // Of each recorded status the first are one range of an index, which has them in order.
    const recorded = sql`
      select first.id from unnest(${$.statuses}) as one_status, lateral (
        select ${hires.id} from ${hires}
        where (${hires.agentId}, ${hires.status}) >= (${$.agentId}, one_status)
          and (${hires.agentId}, ${hires.status}, ${hires.id}) < (${$.agentId}, one_status, ${$.beforeId})
          and not ${isLapsed}
        order by ${inOrder}) as first`
    // And hires that have expired since the job last looked: the few that are due.
    const lapsed = sql`
      select ${hires.id} from ${hires}
      where ${hires.agentId} = ${$.agentId} and ${isLapsed} and 'expired' = any (${$.statuses}) and ${isBefore}`
    const page = sql`
      select id from (${recorded} union all ${lapsed}) as found order by id desc limit ${$.limit}`
    // An agent that nobody has hired has a row all the same, which tells it from another's.
    return db
      .select({
        hire: { ...getTableColumns(hires), status, expiresAt, endedAt },
        spent: spentOf({ ...hires, expiresAt }),
        requestsPaid: requestsPaidOf(hires.agentId, hires.wallet),
      })
      .from(agents)
      .leftJoin(hires, and(eq(hires.agentId, agents.id), sql`${hires.id} = any (array(${page}))`))
      .where(and(eq(agents.id, $.agentId), eq(agents.pubkey, $.owner)))
      .orderBy(desc(hires.id))
  },
)

/**
 * Reads up to `limit` hires of an agent as they are at `now`, newest first, after one if it is given.
 * @returns undefined when the agent is unknown or another's
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
