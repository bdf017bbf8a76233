import { type Due, dueAt, dueAtOnce, nextTick, TICK_MS } from '../clock/kinds.ts'
import { HOUR_MS } from '../time.ts'
import type { NextTurns } from './turn-queries.ts'

/** So long after a tick rounds follow one another; what is due by then waits for the next tick. */
const ROUNDS_LAST_MS = HOUR_MS

/**
 * Computes when the next round is due, if any. Hosts that wait for their first look don't wait for a tick:
 * each costs whoever names it a request.
 * @param isMoreNew whether endpoints were named that no round has put in line
 */
export function nextLooks({ first, others }: NextTurns, isMoreNew: boolean, now: Date): Due | undefined {
  const ms = now.getTime()
  if (isMoreNew || (first !== null && first <= now)) return dueAtOnce(ms)
  const tick = nextTick(ms)
  const isDue = others !== null && others <= now
  if (isDue && ms < tick - TICK_MS + ROUNDS_LAST_MS) return dueAtOnce(ms)
  const dues = [first, isDue ? new Date(tick) : others].flatMap((at) => (at === null ? [] : [at.getTime()]))
  return dues.length === 0 ? undefined : dueAt('looks', Math.min(...dues))
}
