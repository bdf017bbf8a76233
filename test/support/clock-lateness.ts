import { type Due, type Kind, nextDaily, SLACK_MS } from '../../lib/clock/kinds.ts'

/** What is due, as a row of the database; told says when the Clock was told of it, in vain or not. */
export type Work = Due & { kind: Kind; told: number; isLost: boolean; servedAt?: number }
/** A round that began, failed, and is to come again then. */
export type Failure = { kind: Kind; from: number; again: number }
/** When an alarm came, and when it ended. */
export type Alarm = { from: number; to: number }

/** What lets the alarm be late, from when on and until when. */
export type Loss = { at: number; until: number }
type History = { failures: Failure[]; losses: Loss[]; alarms: Alarm[] }

/** As long as an alarm may begin rounds. */
const LONG_MS = 7 * 60_000

/** Returns by when work must be served: in its slack, or after what kept the Clock or its round from it. */
export function latestOf({ kind, by, told, isLost, servedAt = Infinity }: Work, history: History): number {
  // The daily round finds what nobody told.
  const found = isLost ? nextDaily(told) + SLACK_MS.daily : told
  const rounds = isLost ? [kind, 'daily'] : [kind]
  let latest = Math.max(by, found + 1_000)
  for (;;) {
    const before = latest
    for (const failure of history.failures)
      if (rounds.includes(failure.kind) && failure.from >= told && failure.from < servedAt)
        latest = Math.max(latest, failure.again + SLACK_MS[failure.kind])
    for (const { at, until } of history.losses) if (at <= latest) latest = Math.max(latest, until)
    // An alarm is a second from the last one at least.
    for (const { from, to } of history.alarms)
      if (from < latest && latest < to + 1_000) latest = to + 1_000
      // Rounds that hung took the time of an alarm: what is left is for the next one.
      else if (from === latest && to - from >= LONG_MS) latest = to + 1_000
    if (latest === before) return latest
  }
}
