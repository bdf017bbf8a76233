import * as postgres from '../../db/functions.ts'
import { MAX_FREE_WAITING, MAX_WAITING } from '../limits.ts'
import { selectFullEndpoints } from './backlog-queries.ts'
import type { DeliverDeps } from './deps.ts'

/** New deliveries that one statement counts, and as many statements a sweep. */
const MAX_COUNTED = 50_000
const MAX_STATEMENTS = 20
/** Longer than a transaction lasts: all that was enqueued before is there. */
const SETTLED_MS = 60_000
/** As pause_full_endpoint gives up in a call, and as many calls for an endpoint. */
const MAX_GIVEN_UP = 10_000
const MAX_CALLS = 20

/**
 * Disables webhook endpoints for which too many deliveries wait, and gives up the rest. Of deliveries of rank
 * 0 it only gives up. Counts each delivery once, so that sweeps may be any time apart.
 */
export async function disableFullEndpoints(deps: DeliverDeps): Promise<{ full: number; givenUp: number }> {
  const now = deps.clock()
  const before = new Date(now.getTime() - SETTLED_MS)
  const total = { full: 0, givenUp: 0 }
  for (let count = 0; count < MAX_STATEMENTS; count++) {
    const counted = { before, deliveries: MAX_COUNTED, waiting: MAX_WAITING, free: MAX_FREE_WAITING }
    const { ids, isLast } = await selectFullEndpoints(deps.db, counted)
    for (const id of ids) {
      total.full += 1
      total.givenUp += await disableFull(deps, id, now)
    }
    if (isLast) break
  }
  return total
}

async function disableFull(deps: DeliverDeps, id: string, now: Date): Promise<number> {
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
