import { BUCKETS, type TokenBucket } from '../../lib/events/limits.ts'
import type { DeliverDeps } from '../../lib/events/sending/deps.ts'

/** Returns the limits and pauses for lease_deliveries, by the present time. */
export const leaseRules = (now: Date) => {
  const later = (ms: number) => new Date(now.getTime() + ms)
  return {
    now,
    dueBefore: now,
    leaseEnd: later(60_000),
    newUntil: later(300_000),
    newLatest: later(19_200_000),
    refusedUntil: later(60_000),
    reservedSince: later(-120_000),
    newChallenge: 'a challenge',
    isTrusted: false,
    buckets: BUCKETS as Record<keyof typeof BUCKETS, TokenBucket>,
    limit: 6,
    freshSince: later(-600_000),
    soon: later(360_000),
  }
}

/** Returns the rules by which record_attempts decides whether the database is woken. */
export const wakeRules = (now: Date) => {
  const { freshSince, soon } = leaseRules(now)
  const failingSince = new Date(now.getTime() - 86_400_000)
  return { day: now, freshSince, soon, failingSince, awaitedPerTarget: 3, awaitedInAll: 24, awaitedOfDead: 2 }
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
