import { type Due, dueAt, dueAtOnce, nextTick, TICK_MS } from '../../clock/kinds.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import { type DueEnds, selectDueEnds } from './hire-queries.ts'

/** A batch is one call: this many take a few hundred milliseconds. */
const HIRES_PER_BATCH = 500
/** Of each queue. */
const MAX_BATCHES = 10
/** When the round comes again for hires of agents that another transaction was at work on. */
const LOCKED_FOR_MS = 60_000

/**
 * Records the hires whose term has run out, in batches that fit a statement's time limit: the ones that have
 * paid a charge first, then the others, in the order in which their terms ended.
 * @returns counts, and when the next terms end, if any
 */
export async function recordDueHires({
  db,
  now,
  nudge,
}: {
  db: Db
  now: Date
  nudge: Nudge
}): Promise<{ expired: number; renewed: number; due: Due | undefined }> {
  const total = { expired: 0, renewed: 0 }
  let hasMore = false
  for (const paid of [true, false]) {
    for (let batch = 1; ; batch++) {
      const { expired, renewed, nudges } = await postgres.recordDueHires.call(db, {
        now,
        paid,
        limit: HIRES_PER_BATCH,
      })
      nudge(nudges)
      total.expired += expired
      total.renewed += renewed
      if (expired + renewed < HIRES_PER_BATCH) break
      if (batch === MAX_BATCHES) {
        hasMore = true
        break
      }
    }
  }
  if (hasMore) return { ...total, due: dueAtOnce(now.getTime()) }
  return { ...total, due: nextEnd(await selectDueEnds(db, TICK_MS), now) }
}

/**
 * Computes when the round is next due: at an end that somebody waits for, otherwise at the tick after the
 * first end. A login keeps a thousand hires going: their ends do not wake the database one by one.
 */
export function nextEnd({ first, wanted }: DueEnds, now: Date): Due | undefined {
  if (first === null) return undefined
  if (first <= now) return dueAt('hires', now.getTime() + LOCKED_FOR_MS)
  const tick = nextTick(first.getTime() - 1)
  return dueAt('hires', wanted === null ? tick : Math.min(wanted.getTime(), tick))
}
