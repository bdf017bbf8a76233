import type { DeliverDeps } from '../../lib/events/sending/deps.ts'

/** What lease_deliveries takes beside the endpoint and the lease: limits of rules.ts, pauses from a time. */
export const leaseRules = (now: Date) => {
  const later = (ms: number) => new Date(now.getTime() + ms)
  return {
    now,
    dueBefore: now,
    minute: now,
    hour: now,
    day: now,
    leaseEnd: later(60_000),
    newUntil: later(300_000),
    unconfirmedUntil: later(60_000),
    newChallenge: 'a challenge',
    isTrusted: false,
    perHost: 60,
    newPerHost: 30,
    newInAll: 600,
    unconfirmedPerHost: 60,
    unconfirmedPerDay: 100,
    unconfirmedInAll: 600,
    trustedPerHost: 600,
    perWallet: 600,
    limit: 6,
    freshSince: later(-600_000),
    soon: later(360_000),
  }
}

/** What record_attempts takes to decide whether the database is woken: limits of rules.ts. */
export const wakeRules = (now: Date) => {
  const { day, freshSince, soon } = leaseRules(now)
  const failingSince = new Date(now.getTime() - 86_400_000)
  return { day, freshSince, soon, failingSince, awaitedPerTarget: 3, awaitedInAll: 24, awaitedOfDead: 2 }
}

type Told = Pick<DeliverDeps, 'nudgeNow' | 'wakeBy' | 'leases'>

/** What is due later, in milliseconds from a time, and how long it may wait. */
type Later = { inMs: number; slackMs: number }

/**
 * A queue and a Clock that keep the endpoints that they were nudged for, and what is due later than a time.
 */
export function keptNudges(now: Date) {
  const nudges: string[] = []
  const later: Later[] = []
  /** Runs that have begun and not ended. */
  const open = new Set<string>()
  const told: Told = {
    nudgeNow: async (ids) => void nudges.push(...ids),
    wakeBy: (_kind, at, by = at) =>
      void later.push({ inMs: at.getTime() - now.getTime(), slackMs: by.getTime() - at.getTime() }),
    leases: { begin: async (id) => void open.add(id), end: async (id) => void open.delete(id) },
  }
  return { nudges, later, open, told }
}

/** A queue and a Clock that take everything and keep nothing. */
export const { told: deaf } = keptNudges(new Date(0))
