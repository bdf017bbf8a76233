import { type Due, dueAt, soonest } from '../../clock/jobs.ts'
import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import { SQL_LIMITS } from '../limits.ts'
import { attemptBy } from './attempt-by.ts'
import type { DeliverDeps } from './deps.ts'
import { dueDestinationOf } from './destinations.ts'
import { leaseDeliveries } from './lease.ts'
import { attemptLeased } from './run.ts'

/** The most due webhook endpoints of one statement: a queue message each. */
const MAX_ENDPOINTS = 1_000
/** The most webhook endpoints that one statement walks over; the next continues from there. */
const MAX_STEPS = 20_000
/** The most statements in a sweep, and the most webhook endpoints that it enqueues. */
const MAX_WALKS = 50
const MAX_ENQUEUED = 5_000
/** The most statements that count and give up deliveries. The next sweep continues. */
const MAX_TRIMS = 40
/** The time until the next sweep, if this one has left some. */
const REST_MS = 60_000
/** The most webhook endpoints that a sweep serves itself, one after the other, when the queue is down. */
const MAX_ENDPOINTS_WITHOUT_QUEUE = 20
/** The time until the next sweep when the queue is down. */
const QUEUE_DOWN_MS = 5 * 60_000

type Walk = Awaited<ReturnType<typeof postgres.nextDeliveries.call>>

/** The result of a sweep of deliveries; `next` is the time of the next one. */
type Swept = { endpoints: number; ended: number; queue: 'up' | 'down'; next: Due | undefined }

/**
 * Enqueues every webhook endpoint with a due delivery: deliveries due now, ones that were not worth a
 * wake-up, and ones whose message was lost. When the queue is down, it attempts some itself. It gives up
 * deliveries to deleted endpoints. It walks over all endpoints with pending deliveries, one step each.
 */
export async function sweepDeliveries(deps: DeliverDeps): Promise<Swept> {
  const now = deps.clock()
  const total: Swept = { endpoints: 0, ended: 0, queue: 'up', next: undefined }
  let isWhole = false
  for (let walks = 0; walks < MAX_WALKS && total.endpoints < MAX_ENQUEUED; walks++) {
    const limits = { steps: MAX_STEPS, limit: MAX_ENDPOINTS, limits: SQL_LIMITS }
    const walk = await postgres.nextDeliveries.call(deps.db, { ...limits, now })
    if (walk.isFirst) isWhole = true
    total.next = soonest(total.next, dueOfWalk(walk, now))
    total.ended += walk.givenUp
    if (!(await enqueueOrServe(deps, walk, total))) return total
    // A walk that began in the middle has not seen earlier endpoints: another begins with the first.
    if (walk.isLast && isWhole) return total
  }
  return { ...total, next: soonest(total.next, dueAt('deliveries', now.getTime() + REST_MS)) }
}

/** Returns the next due time of deliveries that a walk has found and not enqueued. */
function dueOfWalk({ endpointIds, dueCount, nextAt, urgentAt }: Walk, now: Date): Due | undefined {
  const dueOf = (at: Date | null, isUrgent: boolean) =>
    at ? { at: at.getTime(), by: attemptBy(at, { now, isUrgent }).getTime() } : undefined
  const left = dueCount > endpointIds.length ? dueAt('deliveries', now.getTime() + REST_MS) : undefined
  return soonest(left, soonest(dueOf(nextAt, false), dueOf(urgentAt, true)))
}

/**
 * Enqueues due endpoints, or serves some itself if the queue is down. @returns whether the queue accepted
 * them
 */
async function enqueueOrServe(
  deps: DeliverDeps,
  { endpointIds, urls }: Walk,
  total: Swept,
): Promise<boolean> {
  try {
    await deps.enqueue(endpointIds)
    total.endpoints += endpointIds.length
    return true
  } catch {
    const served = endpointIds.slice(0, MAX_ENDPOINTS_WITHOUT_QUEUE)
    for (const [i, id] of served.entries()) await serve(deps, { id, url: urls[i] ?? '' })
    total.endpoints += served.length
    total.queue = 'down'
    total.next = soonest(total.next, dueAt('deliveries', deps.clock().getTime() + QUEUE_DOWN_MS))
    return false
  }
}

/** Serves one webhook endpoint. It logs errors, so that other endpoints are still served. */
async function serve(deps: DeliverDeps, endpoint: { id: string; url: string }): Promise<void> {
  try {
    const leased = await leaseDeliveries(deps, await dueDestinationOf(endpoint))
    if (leased) await attemptLeased(deps, leased)
  } catch (error) {
    logError({ job: 'deliver', endpointId: endpoint.id, reason: reasonOf(error) })
  }
}

/**
 * Gives up the excess of endpoints for which too many deliveries wait, and disables those endpoints
 * (`trim_backlogs`).
 */
export async function trimBacklogs(deps: DeliverDeps): Promise<{ full: number; givenUp: number }> {
  const now = deps.clock()
  const total = { full: 0, givenUp: 0 }
  for (let calls = 0; calls < MAX_TRIMS; calls++) {
    const { trimmed, givenUp, toNotify, isLast } = await postgres.trimBacklogs.call(deps.db, {
      limits: SQL_LIMITS,
      now,
    })
    total.full += trimmed
    total.givenUp += givenUp
    await deps.enqueue(toNotify)
    if (isLast) break
  }
  return total
}
