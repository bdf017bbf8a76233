import { eq, type SQL, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { type ChargeStatus, hireStatuses } from '../../../schema/values.ts'
import { MOST_COUNTED_A_DAY } from '../../../schema/wire/agent-history.ts'
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

/** What is counted of an agent's days: hires, charges, the looks at its endpoint (null without any). */
export type DayCounts = NonNullable<Awaited<ReturnType<typeof selectDayCounts>>>

/**
 * Counts the hires and charges of an agent between each two of some ids that are lower bounds of days, and
 * reads how its present endpoint was found.
 */
export async function selectDayCounts(db: Db, id: string, bounds: readonly string[]) {
  const [counts] = await dayCounts.run(db, {
    id,
    hireStatuses,
    chargeStatuses: STANDING,
    firstIds: bounds.slice(0, -1),
    nextIds: bounds.slice(1),
    most: MOST_COUNTED_A_DAY,
  })
  return counts
}
