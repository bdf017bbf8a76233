import * as postgres from '../../db/functions.ts'
import { MAX_FREE_WAITING, MAX_WAITING } from '../limits.ts'
import { selectFullEndpoints } from './backlog-queries.ts'
import type { DeliverDeps } from './deps.ts'

/** The most new deliveries that one statement counts, and the most statements in a sweep. */
const MAX_COUNTED = 50_000
const MAX_STATEMENTS = 20
/** Longer than any transaction: all deliveries enqueued before this are committed. */
const SETTLED_MS = 60_000
/** The most deliveries that one call of pause_full_endpoint gives up, and the most calls for an endpoint. */
const MAX_GIVEN_UP = 10_000
const MAX_CALLS = 20

/**
 * Disables webhook endpoints with too many pending deliveries, and gives up the rest. Too many deliveries of
 * rank 0 are given up without disabling the endpoint. Each delivery is counted once, so any time may pass
 * between sweeps.
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
