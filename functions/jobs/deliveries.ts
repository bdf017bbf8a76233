import { reasonOf } from '../../lib/db/failures.ts'
import * as postgres from '../../lib/db/functions.ts'
import { selectDueEndpoints } from '../../lib/events/delivery-queries.ts'
import { selectFullEndpoints } from '../../lib/events/full-queries.ts'
import { endDeliveries } from '../../lib/events/gone-queries.ts'
import type { Hook } from '../../lib/events/hook-queries.ts'
import { MAX_WAITING } from '../../lib/events/rules.ts'
import { deliverBatch, type LeasedBatch } from '../../lib/events/sending/batch.ts'
import { deliver, type LeasedDeliveries, leaseDeliveries } from '../../lib/events/sending/deliver.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'
import { dueTargetOf } from '../../lib/events/sending/targets.ts'
import { logError, logInfo } from '../../lib/log.ts'

/** Webhook endpoints a cron run: a queue message each. */
const MAX_ENDPOINTS = 1_000
/** Webhook endpoints that a cron run looks at: the next one goes on from there. */
const MAX_STEPS = 20_000
/** Deliveries to deleted webhook endpoints that a cron run gives up. */
const MAX_ENDED = 10_000
/** Webhook endpoints that a cron run serves itself when the queue is down, one after the other. */
const MAX_ENDPOINTS_WITHOUT_QUEUE = 20

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

/**
 * Nudges for every webhook endpoint with something due that nobody was nudged for, or whose message was lost.
 * Without the queue it attempts some itself. Gives up deliveries in line for deleted endpoints.
 */
export async function sweepDeliveries(
  deps: DeliverDeps,
): Promise<{ endpoints: number; ended: number; queue: 'up' | 'down' }> {
  const now = deps.clock()
  const walk = { now, steps: MAX_STEPS, limit: MAX_ENDPOINTS }
  const { due: endpoints, gone } = await selectDueEndpoints(deps.db, walk)
  const ended = gone.length > 0 ? await endDeliveries(deps.db, { ids: gone, now, limit: MAX_ENDED }) : 0
  try {
    await deps.nudgeLater(endpoints.map(({ id }) => ({ endpointId: id, delayMs: 0 })))
    return { endpoints: endpoints.length, ended, queue: 'up' }
  } catch {
    const served = endpoints.slice(0, MAX_ENDPOINTS_WITHOUT_QUEUE)
    for (const endpoint of served) await serve(deps, endpoint)
    return { endpoints: served.length, ended, queue: 'down' }
  }
}

/** Longer than from one cron run to the next, so that a run that comes late misses nothing. */
const GROWTH_MS = 20 * 60_000

/** Pauses webhook endpoints for which too many deliveries wait, and gives up what is beyond. */
export async function pauseFullEndpoints(deps: DeliverDeps): Promise<{ paused: number; givenUp: number }> {
  const now = deps.clock()
  const since = new Date(now.getTime() - GROWTH_MS)
  const total = { paused: 0, givenUp: 0 }
  for (const id of await selectFullEndpoints(deps.db, { since, waiting: MAX_WAITING })) {
    const pause = { id, limit: MAX_WAITING, now }
    const { givenUp, nudges } = await postgres.pauseFullEndpoint.call(deps.db, pause)
    total.paused += 1
    total.givenUp += givenUp
    await deps.nudgeLater(nudges.map((endpointId) => ({ endpointId, delayMs: 0 })))
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
