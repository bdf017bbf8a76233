import { type Cred, cred, sumOf } from '../../schema/amounts.ts'

/** The yearly rate by lock time in days, in basis points. */
export const APY_BPS = { 7: 800, 30: 1000, 90: 1200, 180: 1400, 365: 1600 } as const

export type LockDays = keyof typeof APY_BPS

export const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365 * DAY_SECONDS
const BPS_PER_WHOLE = 10_000

/**
 * The terms of a position. All its payouts follow from the terms, the balance on the chain and the time.
 * `stakedAt` is a whole second (see startOf).
 */
export type Terms = { amount: Cred; lockDays: number; apyBps: number; stakedAt: Date }

/** A position, the balance of its account on the chain, and the yield that claims are known to have paid. */
export type Position = Terms & { balance: Cred; claimed?: Cred }

/**
 * Returns the start of a position that is built at `now`: `now` rounded down to the second. The rate is per
 * second and the memo has whole seconds, so a reader of the chain without the database computes the same
 * lamport. Rounding down favours the owner, by less than a second.
 */
export const startOf = (now: Date): Date => new Date(Math.floor(now.getTime() / 1000) * 1000)

/** Returns the end of the lock: the principal may leave then, and the yield stops growing. */
export const unlocksAt = ({ stakedAt, lockDays }: Terms): Date =>
  new Date(stakedAt.getTime() + lockDays * DAY_SECONDS * 1000)

export const isLocked = (terms: Terms, now: Date): boolean => now < unlocksAt(terms)

/** Computes the yield of the whole term. It is in the position from its first second. */
export const termYield = (terms: Terms): Cred => yieldOver(terms, terms.lockDays * DAY_SECONDS)

/**
 * Computes the yield earned by `now`, claimed or not: floor(amount·bps·seconds / (10000·365·86400)), simple
 * interest over the whole elapsed time. It is rounded once for the whole time and never per claim, so that
 * many claims pay as much as one at the end.
 */
export function accruedYield(terms: Terms, now: Date): Cred {
  const elapsed = Math.floor((now.getTime() - terms.stakedAt.getTime()) / 1000)
  return yieldOver(terms, Math.min(Math.max(elapsed, 0), terms.lockDays * DAY_SECONDS))
}

/**
 * Computes how much yield has left a position, from its balance. The result is at least the amount that
 * claims are known to have paid, since a donation or a node that is behind makes the balance look too high.
 */
export function claimedYield({ balance, claimed = cred(0n), ...terms }: Position): Cred {
  const shown = atLeastZero(terms.amount + termYield(terms) - balance)
  return shown > claimed ? shown : claimed
}

/**
 * Computes what the owner may claim at `now`. After it is paid the position still holds its principal and the
 * yield to come.
 * @returns 0 when nothing is due, or when the owner withdrew more with the recovery key
 */
export const claimableYield = (position: Position, now: Date): Cred =>
  atLeastZero(accruedYield(position, now) - claimedYield(position))

/**
 * How far the clock of the Worker that built a payout may be ahead of the clock of the Worker that checks its
 * effect.
 */
export const MAX_CLOCK_SKEW_MS = 60_000

const withSkew = (time: Date): Date => new Date(time.getTime() + MAX_CLOCK_SKEW_MS)

/**
 * Checks whether more has left a position than the accrued yield, which is all that claims can pay. After the
 * lock a withdrawal may have emptied it, which this check can't distinguish from an early payout.
 * @param seenAt the time when the balance was read, or later. With an earlier time, yield claimed in between
 *   would look like an early payout
 */
export const isShort = ({ balance, ...terms }: Position, seenAt: Date): boolean =>
  balance < terms.amount + termYield(terms) - accruedYield(terms, withSkew(seenAt))

/**
 * Checks whether a locked position is short. Beyond claims, only the recovery key with the owner's can pay
 * out of it.
 */
export const isPaidPrematurely = (position: Position, seenAt: Date): boolean =>
  isLocked(position, withSkew(seenAt)) && isShort(position, seenAt)

/** Sums up positions for `balances` of the API: principal, its locked part, due and unclaimed yield. */
export function totalsOf(
  positions: Position[],
  now: Date,
): { cred: Cred; stacked: Cred; pendingYield: Cred } {
  return {
    cred: sumOf(positions.map(({ amount }) => amount)),
    stacked: sumOf(positions.filter((position) => isLocked(position, now)).map(({ amount }) => amount)),
    pendingYield: sumOf(positions.map((position) => claimableYield(position, now))),
  }
}

/** Sorts rows with an amount, the largest first. */
export const largestFirst = (a: { amount: Cred }, b: { amount: Cred }): number =>
  Number(b.amount > a.amount) - Number(b.amount < a.amount)

const yieldOver = ({ amount, apyBps }: Terms, seconds: number): Cred =>
  cred((amount * BigInt(apyBps) * BigInt(seconds)) / BigInt(BPS_PER_WHOLE * YEAR_SECONDS))

const atLeastZero = (amount: bigint): Cred => cred(amount < 0n ? 0n : amount)
