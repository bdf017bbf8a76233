import { type Due, dueAt, soonest } from '../../lib/clock/kinds.ts'
import { reasonOf } from '../../lib/db/failures.ts'
import * as postgres from '../../lib/db/functions.ts'
import { type Walk, walkEndpoints } from '../../lib/events/delivery-queries.ts'
import { selectFullEndpoints } from '../../lib/events/full-queries.ts'
import { endDeliveries } from '../../lib/events/gone-queries.ts'
import type { Hook } from '../../lib/events/hook-queries.ts'
import { MAX_FREE_WAITING, MAX_WAITING } from '../../lib/events/limits.ts'
import { attemptBy } from '../../lib/events/sending/attempt-by.ts'
import { deliverBatch, type LeasedBatch } from '../../lib/events/sending/batch.ts'
import { deliver, type LeasedDeliveries, leaseDeliveries } from '../../lib/events/sending/deliver.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueTargetOf } from '../../lib/events/sending/targets.ts'
import { logError, logInfo } from '../../lib/log.ts'

/** Webhook endpoints that one statement finds with something due: a queue message each. */
const MAX_ENDPOINTS = 1_000
/** Webhook endpoints that one statement looks at: the next goes on from there. */
const MAX_STEPS = 20_000
/** As many statements a round, and as many webhook endpoints that it nudges for. */
const MAX_WALKS = 50
const MAX_NUDGED = 5_000
/** What a round has not come to is left to the next for so long. */
const REST_MS = 60_000
/** Deliveries to deleted webhook endpoints that a statement gives up. */
const MAX_ENDED = 10_000
/** Webhook endpoints that a round serves itself when the queue is down, one after the other. */
const MAX_ENDPOINTS_WITHOUT_QUEUE = 20
/** When a round comes again that found the queue down. */
const QUEUE_DOWN_MS = 5 * 60_000

/**
 * Attempts leased deliveries and logs the results. Never rejects: deliveries that are cut off are due again
 * by themselves.
 */
export async function attemptLeased(deps: DeliverDeps, leased: LeasedDeliveries): Promise<void> {
  const endpointId = leased.hook.id
  try {
    logInfo({ job: 'deliver', endpointId, ...(await deliver(deps, leased)) })
  } catch (error) {
    logError({ job: 'deliver', endpointId, reason: reasonOf(error) })
  }
}

/** The same for a batch of many webhook endpoints' deliveries. */
export async function attemptBatch(deps: DeliverDeps, batch: LeasedBatch): Promise<void> {
  if (batch.deliveries.length === 0) return
  try {
    logInfo({ job: 'deliver', ...(await deliverBatch(deps, batch)) })
  } catch (error) {
    logError({ job: 'deliver', reason: reasonOf(error) })
  }
}

/** What a round of deliveries did; `next`: when it is next due. */
type Swept = { endpoints: number; ended: number; queue: 'up' | 'down'; next: Due | undefined }

/**
 * Nudges for every webhook endpoint with something due: what was not worth a wake of the database, what is
 * due at its time, and what nobody was nudged for. Without the queue it attempts some itself. Gives up
 * deliveries in line for deleted endpoints. Looks at all endpoints with pending deliveries, one look each.
 */
export async function sweepDeliveries(deps: DeliverDeps): Promise<Swept> {
  const now = deps.clock()
  const total: Swept = { endpoints: 0, ended: 0, queue: 'up', next: undefined }
  let isWhole = false
  for (let walks = 0; walks < MAX_WALKS && total.endpoints < MAX_NUDGED; walks++) {
    const walk = await walkEndpoints(deps.db, { now, steps: MAX_STEPS, limit: MAX_ENDPOINTS })
    if (walk.isFirst) isWhole = true
    total.next = soonest(total.next, dueOfWalk(walk, now))
    if (walk.gone.length > 0)
      total.ended += await endDeliveries(deps.db, { ids: walk.gone, now, limit: MAX_ENDED })
    if (!(await nudgeOrServe(deps, walk.due, total))) return total
    // One that began in the middle has not seen the endpoints before: another begins with the first.
    if (walk.isLast && isWhole) return total
  }
  return { ...total, next: soonest(total.next, dueAt('deliveries', now.getTime() + REST_MS)) }
}

/** When what a walk has found and not nudged for is due. */
function dueOfWalk({ due, dueCount, nextAt, awaitedAt }: Walk, now: Date): Due | undefined {
  const dueOf = (at: Date | null, isAwaited: boolean) =>
    at ? { at: at.getTime(), by: attemptBy(at, { now, isAwaited }).getTime() } : undefined
  const left = dueCount > due.length ? dueAt('deliveries', now.getTime() + REST_MS) : undefined
  return soonest(left, soonest(dueOf(nextAt, false), dueOf(awaitedAt, true)))
}

/** @returns whether the queue has taken them */
async function nudgeOrServe(deps: DeliverDeps, due: Walk['due'], total: Swept): Promise<boolean> {
  try {
    await deps.nudgeNow(due.map(({ id }) => id))
    total.endpoints += due.length
    return true
  } catch {
    const served = due.slice(0, MAX_ENDPOINTS_WITHOUT_QUEUE)
    for (const endpoint of served) await serve(deps, endpoint)
    total.endpoints += served.length
    total.queue = 'down'
    total.next = soonest(total.next, dueAt('deliveries', deps.clock().getTime() + QUEUE_DOWN_MS))
    return false
  }
}

/** Deliveries that one statement looks at, and as many statements a round. */
const MAX_LOOKED_AT = 50_000
const MAX_LOOKS = 20
/** Longer than a transaction lasts: what was put in line before is all there. */
const SETTLED_MS = 60_000
/** As pause_full_endpoint gives up in a call, and as many calls for an endpoint. */
const MAX_GIVEN_UP = 10_000
const MAX_CALLS = 20

/**
 * Pauses webhook endpoints for which too many deliveries wait, and gives up what is beyond; of deliveries of
 * rank 0 it only gives up. Looks at each delivery once, so that rounds may be as far apart as they are.
 */
export async function pauseFullEndpoints(deps: DeliverDeps): Promise<{ full: number; givenUp: number }> {
  const now = deps.clock()
  const before = new Date(now.getTime() - SETTLED_MS)
  const total = { full: 0, givenUp: 0 }
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const look = { before, deliveries: MAX_LOOKED_AT, waiting: MAX_WAITING, free: MAX_FREE_WAITING }
    const { ids, isLast } = await selectFullEndpoints(deps.db, look)
    for (const id of ids) {
      total.full += 1
      total.givenUp += await pauseFull(deps, id, now)
    }
    if (isLast) break
  }
  return total
}

async function pauseFull(deps: DeliverDeps, id: string, now: Date): Promise<number> {
  let total = 0
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const pause = { id, limit: MAX_WAITING, limitOfFree: MAX_FREE_WAITING, now }
    const { givenUp, nudges } = await postgres.pauseFullEndpoint.call(deps.db, pause)
    await deps.nudgeNow(nudges)
    total += givenUp
    if (givenUp < MAX_GIVEN_UP) break
  }
  return total
}

/** Serves one webhook endpoint. What is wrong with it is logged: the others are not to wait for it. */
async function serve(deps: DeliverDeps, endpoint: Pick<Hook, 'id' | 'url'>): Promise<void> {
  try {
    const leased = await leaseDeliveries(deps, await dueTargetOf(endpoint))
    if (leased) await attemptLeased(deps, leased)
  } catch (error) {
    logError({ job: 'deliver', endpointId: endpoint.id, reason: reasonOf(error) })
  }
}
