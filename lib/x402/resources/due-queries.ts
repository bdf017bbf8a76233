import { asc, isNotNull, lte, sql } from 'drizzle-orm'
import { requestResources } from '../../../schema/tables/x402.ts'
import { endpointOf } from '../../agents/parts/part-queries.ts'
import type { Db } from '../../db/connect.ts'
import { read } from '../../db/statement.ts'
import { priceUrl } from '../prices/url-queries.ts'

/** A due route with its present URL; empty if its agent has no endpoint any more. */
export type DueRoute = { agentId: string; priceName: string; url: string }

const { agentId, priceName, nextProbeAt } = requestResources

const dueRoutes = read({ now: 'timestamptz', limit: 'integer' }, (db, $) =>
  db
    .select({
      agentId,
      priceName,
      url: sql<string>`coalesce(${priceUrl(priceName, endpointOf(agentId))}, '')`,
    })
    .from(requestResources)
    .where(lte(nextProbeAt, $.now))
    .orderBy(asc(nextProbeAt))
    .limit($.limit),
)

/** Reads up to `limit` due routes, the ones first that have waited longest. */
export const selectDueRoutes = (db: Db, limit: number, now: Date): Promise<DueRoute[]> =>
  dueRoutes.run(db, { limit, now })

const nextProbe = read({}, (db) =>
  db
    .select({ at: nextProbeAt })
    .from(requestResources)
    .where(isNotNull(nextProbeAt))
    .orderBy(asc(nextProbeAt))
    .limit(1),
)

/** Returns when a route is next due, if any is. */
export async function nextRouteProbe(db: Db): Promise<Date | undefined> {
  const [next] = await nextProbe.run(db, {})
  return next?.at ?? undefined
}
