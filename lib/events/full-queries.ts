import { sql } from 'drizzle-orm'
import { deliveries } from '../../schema/tables/events.ts'
import type { Db } from '../db/connect.ts'
import { read } from '../db/statement.ts'

/** Of the newest deliveries so many are looked at, and so many of the endpoints that they are for. */
const NEWEST = 50_000
const MOST_GROWN = 100

const fullEndpoints = read({ since: 'timestamptz', waiting: 'integer' }, (db, $) => {
  const { endpointId, createdAt, status, nextAttemptAt } = deliveries
  const newest = db
    .select({ endpointId })
    .from(deliveries)
    .where(sql`${createdAt} > ${$.since}`)
    .orderBy(sql`${createdAt} desc`)
    .limit(NEWEST)
    .as('newest')
  const grown = db
    .select({ id: newest.endpointId })
    .from(newest)
    .groupBy(newest.endpointId)
    .orderBy(sql`count(*) desc`)
    .limit(MOST_GROWN)
    .as('grown')
  return db
    .select({ id: grown.id })
    .from(grown)
    .where(sql`exists (
    select from ${deliveries} where ${endpointId} = ${grown.id} and ${status} = 'pending'
    order by ${nextAttemptAt} offset ${$.waiting})`)
})

/**
 * Reads the endpoints for which more than so many deliveries wait, of those that the most deliveries were
 * put in line for since a time. An endpoint that others outgrow is found in a later round.
 */
export async function selectFullEndpoints(db: Db, look: { since: Date; waiting: number }): Promise<string[]> {
  const rows = await fullEndpoints.run(db, look)
  return rows.map(({ id }) => id)
}
