import { and, eq, gte, type SQL, sql } from 'drizzle-orm'
import { agentRequestDays } from '../../../schema/tables/agent-request-days.ts'
import { agents } from '../../../schema/tables/agents.ts'
import { hires } from '../../../schema/tables/hires.ts'
import { charges } from '../../../schema/tables/payments.ts'
import { type ChargeStatus, hireStatuses } from '../../../schema/values.ts'
import { MAX_COUNTED_A_DAY } from '../../../schema/wire/agents.ts'
import { batch } from '../../db/batch.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { agentEndpoints, agentEndpointTally, isAgentEndpointOf } from '../../liveness/queries.ts'

/** The statuses of charges that count: all but voided ones. */
const VALID_CHARGES: ChargeStatus[] = ['recorded', 'collected']

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
    /** Counts the rows of each day in a table with an index on (agent_id, status, id). */
    const counted = (table: SQL, statuses: typeof $.hireStatuses) => {
      // Ids begin with their time, so a day is one index range for each status.
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
        charges: counted(sql`${charges}`, $.chargeStatuses),
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

/** Counts of an agent's days: hires, charges, and probes of its endpoint (null without any). */
export type DayCounts = NonNullable<Days[0]>

/** The payments for requests to an agent on one day. */
export type RequestDay = Days[1][number]

/**
 * Counts an agent's hires and charges for each day. Also reads the probe results of its present endpoint, and
 * the days with payments for requests.
 * @param bounds the lowest id of each day, in order, and of the day after the last
 */
export async function selectDays(
  db: Db,
  id: string,
  { bounds, from }: { bounds: readonly string[]; from: string },
) {
  const counted = dayCounts.item({
    id,
    hireStatuses,
    chargeStatuses: VALID_CHARGES,
    firstIds: bounds.slice(0, -1),
    nextIds: bounds.slice(1),
    most: MAX_COUNTED_A_DAY,
  })
  const [[counts], days] = await batch(db, [counted, requestDays.item({ agentId: id, from })])
  return [counts, days] as const
}
