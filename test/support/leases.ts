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
  }
}
