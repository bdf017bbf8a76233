import { type Due, dueAt, KINDS, type Kind, soonest } from './kinds.ts'

/** What the Clock knows: kept in its storage after every change. */
export type Schedule = {
  /** When each kind is next due; a kind that is left out is not. */
  dues: Dues
  /** What was asked for while rounds run: a round may have read the database before it was committed. */
  meanwhile: Dues
  /**
   * Runs of deliveries that are under way, by the id of their lease: when what they have leased is due again,
   * in Unix milliseconds. A run that ends well takes its entry away; one that is cut off can't.
   */
  leases: Record<string, number>
  /** How often the last rounds of a kind have failed one after the other. */
  failures: Partial<Record<Kind, number>>
}

type Dues = Partial<Record<Kind, Due>>

/** How long after a failed round the next one comes; after more failures, the last of these. */
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000] as const

/** An alarm is at least so far ahead. */
const MIN_AHEAD_MS = 1_000

/** Returns the schedule of a Clock that knows nothing yet: every kind is due, since anything may be. */
export const newSchedule = (now: number): Schedule => ({
  dues: Object.fromEntries(KINDS.map((kind) => [kind, { at: now, by: now }])),
  meanwhile: {},
  leases: {},
  failures: {},
})

/** Adds what was asked for. @param isRunning whether rounds run now */
export function withAsked(schedule: Schedule, kind: Kind, due: Due, isRunning: boolean): Schedule {
  const part = isRunning ? 'meanwhile' : 'dues'
  return { ...schedule, [part]: { ...schedule[part], [kind]: soonest(schedule[part][kind], due) } }
}

/** Makes what was asked for while rounds ran due like all else. */
export function withMeanwhile({ dues, meanwhile, ...rest }: Schedule): Schedule {
  const merged = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const due = soonest(dues[kind], meanwhile[kind])
      return due ? [[kind, due]] : []
    }),
  )
  return { ...rest, dues: merged, meanwhile: {} }
}

/** Adds a run that has begun to lease deliveries. */
export const withLease = (schedule: Schedule, id: string, until: number): Schedule => ({
  ...schedule,
  leases: { ...schedule.leases, [id]: until },
})

/** Takes away a run that has ended. */
export function withoutLease(schedule: Schedule, id: string): Schedule {
  const { [id]: _, ...leases } = schedule.leases
  return { ...schedule, leases }
}

/** Makes due what runs have leased that were cut off: their leases have ended. */
export function withEndedLeases(schedule: Schedule, now: number): Schedule {
  const entries = Object.entries(schedule.leases)
  const ended = entries.filter(([, until]) => until <= now).map(([, until]) => until)
  if (ended.length === 0) return schedule
  const at = Math.min(...ended)
  const leases = Object.fromEntries(entries.filter(([, until]) => until > now))
  return withAsked({ ...schedule, leases }, 'deliveries', { at, by: at }, false)
}

/**
 * Returns the kinds whose rounds run now, in their order: with the daily round, all. That of deliveries runs
 * whenever one does: it sends what the others have told, and makes attempts that were not worth a wake.
 */
export function dueKinds({ dues }: Schedule, now: number): Kind[] {
  const isDue = (kind: Kind) => (dues[kind]?.at ?? Infinity) <= now
  if (isDue('daily')) return KINDS
  return KINDS.some(isDue) ? KINDS.filter((kind) => kind === 'deliveries' || isDue(kind)) : []
}

/** Records a round's answer: when its kind is next due, if it is. */
export function withAnswer(schedule: Schedule, kind: Kind, due: Due | undefined): Schedule {
  const { [kind]: _, ...dues } = schedule.dues
  const { [kind]: __, ...failures } = schedule.failures
  return { ...schedule, dues: due ? { ...dues, [kind]: due } : dues, failures }
}

/** Records that a round has failed: it comes again later each time. */
export function withFailure(schedule: Schedule, kind: Kind, now: number): Schedule {
  const failed = schedule.failures[kind] ?? 0
  const wait = RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? 0
  return {
    ...schedule,
    dues: { ...schedule.dues, [kind]: dueAt(kind, now + wait) },
    failures: { ...schedule.failures, [kind]: failed + 1 },
  }
}

/** Returns when the alarm is to come: as late as is on time for every kind. */
export function alarmOf({ dues, leases }: Schedule, now: number): number {
  const latest = Math.min(...Object.values(dues).map(({ by }) => by), ...Object.values(leases))
  return Math.max(latest, now + MIN_AHEAD_MS)
}
