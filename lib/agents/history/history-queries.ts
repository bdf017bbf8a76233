import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import { agentRequestDays } from '../../../schema/tables/agent-request-days.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { type ChargeStatus, hireStatuses } from '../../../schema/values.ts'
import { MOST_COUNTED_A_DAY } from '../../../schema/wire/agents/history.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { agentEndpoints, agentEndpointTally, isAgentEndpointOf } from '../../liveness/queries.ts'

/** Charges that stand: those that were taken back are not counted. */
const STANDING: ChargeStatus[] = ['recorded', 'collected']

const dayCounts = read(
  {
    id: agents.id,
    hireStatuses: 'text[]',
    chargeStatuses: 'text[]',
    firstIds: 'uuid[]',
    nextIds: 'uuid[]',
    most: 'integer',
  },
  (db, $) => {
    /** How many rows each day has of a table with an index on (agent_id, status, id). */
    const counted = (table: SQL, statuses: typeof $.hireStatuses) => {
      // Of each status the rows of a day are one range of an index, since ids begin with their time.
      const begun = sql`
        select from unnest(${statuses}) as one_status, lateral (
          select from ${table} as one
          where one.agent_id = ${$.id} and one.status = one_status and one.id >= first_id and one.id < next_id
          limit ${$.most}) as of_status limit ${$.most}`
      return sql<number[]>`array(
        select (select count(*)::integer from (${begun}) as begun)
        from unnest(${$.firstIds}, ${$.nextIds}) with ordinality as days (first_id, next_id, number)
        order by number)`
    }
    return db
      .select({
        hires: counted(sql`${hires}`, $.hireStatuses),
        // By name: payments stand on agents, and the table's definition would weigh half a kilobyte here.
        charges: counted(sql.raw('charges'), $.chargeStatuses),
        tally: agentEndpointTally,
      })
      .from(agents)
      .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
      .where(eq(agents.id, $.id))
  },
)

const requestDays = read({ agentId: agents.id, from: agentRequestDays.day }, (db, $) =>
  db
    .select({
      day: agentRequestDays.day,
      payments: agentRequestDays.payments,
      paid: agentRequestDays.paid,
    })
    .from(agentRequestDays)
    .where(and(eq(agentRequestDays.agentId, $.agentId), gte(agentRequestDays.day, $.from))),
)

type Days = Awaited<ReturnType<typeof selectDays>>

/**
 * What is counted of an agent's days: its hires and charges, the looks at its endpoint (null without any).
 */
export type DayCounts = NonNullable<Days[0]>

/** The payments for requests to an agent of a day that has any. */
export type RequestDay = Days[1][number]

/**
 * Counts the hires and charges of an agent between each two of some ids that are lower bounds of days, reads
 * how its present endpoint was found, and the days from one on that have payments for requests.
 */
export async function selectDays(
  db: Db,
  id: string,
  { bounds, from }: { bounds: readonly string[]; from: string },
) {
  const counted = dayCounts.item({
    id,
    hireStatuses,
    chargeStatuses: STANDING,
    firstIds: bounds.slice(0, -1),
    nextIds: bounds.slice(1),
    most: MOST_COUNTED_A_DAY,
  })
  const [[counts], days] = await batch(db, [counted, requestDays.item({ agentId: id, from })])
  return [counts, days] as const
}
