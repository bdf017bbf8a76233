import { SQL_LIMITS } from '../../lib/events/limits.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'

/** Arguments of lease_deliveries: the product's limits, for a clock that is never behind. */
export const leaseRules = (now: Date) => ({
  ...{ now, newChallenge: 'a challenge', trustedHosts: [] },
  limits: { ...SQL_LIMITS, toleranceMs: 0 },
})

/** Returns the rules by which record_attempts decides whether the database is woken. */
export const wakeRules = (now: Date) => {
  const at = (ms: number) => new Date(now.getTime() + ms)
  const since = { freshSince: at(-600_000), failingSince: at(-86_400_000) }
  return { day: now, soon: at(360_000), ...since, awaitedPerTarget: 3, awaitedInAll: 24, awaitedOfDead: 2 }
}

type Told = Pick<DeliverDeps, 'nudgeNow' | 'schedule' | 'leases'>

/** Work that is due later: the time until then, and its tolerance. */
type Later = { inMs: number; toleranceMs: number }

/**
 * A queue and a Clock that store which endpoints they were called for, and the work that is due later.
 */
export function keptNudges(now: Date) {
  const nudges: string[] = []
  const later: Later[] = []
  /** Runs that have begun and not ended. */
  const open = new Set<string>()
  const told: Told = {
    nudgeNow: async (ids) => void nudges.push(...ids),
    schedule: (_job, at, by = at) =>
      void later.push({ inMs: at.getTime() - now.getTime(), toleranceMs: by.getTime() - at.getTime() }),
    leases: { begin: async (id) => void open.add(id), end: async (id) => void open.delete(id) },
  }
  return { nudges, later, open, told }
}

/** A queue and a Clock that accept every call and store nothing. */
export const { told: deaf } = keptNudges(new Date(0))
