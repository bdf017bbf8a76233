import { type Column, eq, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { charges } from '../../../schema/tables/payments.ts'
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
    /** How many rows of a table each day has. */
    const counted = (table: PgTable & Countable, statuses: typeof $.hireStatuses) => {
      // Of each status the rows of a day are one range of an index, since ids begin with their time.
      const begun = sql`
        select from unnest(${statuses}) as one_status, lateral (
          select from ${table}
          where ${table.agentId} = ${$.id} and ${table.status} = one_status
            and ${table.id} >= first_id and ${table.id} < next_id
          limit ${$.most}) as one limit ${$.most}`
      return sql<number[]>`array(
        select (select count(*)::integer from (${begun}) as begun)
        from unnest(${$.firstIds}, ${$.nextIds}) with ordinality as days (first_id, next_id, number)
        order by number)`
    }
    return db
      .select({
        hires: counted(hires, $.hireStatuses),
        charges: counted(charges, $.chargeStatuses),
        tally: agentEndpointTally,
      })
      .from(agents)
      .leftJoin(agentEndpoints, isAgentEndpointOf(agents))
      .where(eq(agents.id, $.id))
  },
)

/** What is counted of an agent has an index on (agent, status, id). */
type Countable = { id: Column; agentId: Column; status: Column }

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
