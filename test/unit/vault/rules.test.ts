import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  APY_BPS,
  accruedYield,
  claimableYield,
  claimedYield,
  isLocked,
  isPaidPrematurely,
  isShort,
  type LockDays,
  MAX_CLOCK_SKEW_MS,
  type Position,
  startOf,
  type Terms,
  termYield,
  totalsOf,
  unlocksAt,
} from '../../../lib/vault/rules.ts'
import { type Cred, cred, formatAmount } from '../../../schema/amounts.ts'

const STAKED_AT = new Date('2026-11-20T10:00:00Z')
const LOCK_DAYS: LockDays[] = [7, 30, 90, 180, 365]

const termsOf = (amount: bigint, lockDays: LockDays = 365): Terms => ({
  amount: cred(amount),
  lockDays,
  apyBps: APY_BPS[lockDays],
  stakedAt: STAKED_AT,
})
const at = (seconds: number, milliseconds = 0) =>
  new Date(STAKED_AT.getTime() + seconds * 1000 + milliseconds)
const full = (terms: Terms): Position => ({ ...terms, balance: cred(terms.amount + termYield(terms)) })

const amounts = fc.bigInt({ min: 1n, max: 2n ** 53n - 1n })
const lockDays = fc.constantFrom(...LOCK_DAYS)
const terms = fc.tuple(amounts, lockDays).map(([amount, days]) => termsOf(amount, days))

/**
 * The yield by another road: whole and remaining years, days and seconds as fractions over one denominator,
 * the largest integer not above their sum found by halving, without a division.
 */
function independentYield(amount: bigint, bps: bigint, seconds: bigint): bigint {
  const [days, rest] = [seconds / 86_400n, seconds % 86_400n]
  const numerator = amount * bps * days * 86_400n + amount * bps * rest
  const denominator = 10_000n * 365n * 24n * 60n * 60n
  let [low, high] = [0n, amount + 1n]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle * denominator <= numerator) low = middle
    else high = middle
  }
  return low
}

describe('the rates', () => {
  it('are the five of the API, higher for longer locks', () => {
    expect(APY_BPS).toEqual({ 7: 800, 30: 1000, 90: 1200, 180: 1400, 365: 1600 })
  })
})

describe('accrued yield', () => {
  it.each([
    // 1,000 CRED: 0.08 * 1000 * 7/365 and so on, rounded down to 10^-9.
    [7, 1_534_246_575n],
    [30, 8_219_178_082n],
    [90, 29_589_041_095n],
    [180, 69_041_095_890n],
    [365, 160_000_000_000n],
  ] as const)('of 1,000 CRED over the whole of %d days is %d', (days, expected) => {
    expect(termYield(termsOf(1_000_000_000_000n, days))).toBe(expected)
  })

  it('agrees with an independent computation at 0 s, 1 s, half, end, and past the end', () =>
    fc.assert(
      fc.property(terms, fc.nat({ max: 400 * 86_400 }), (position, seconds) => {
        const term = position.lockDays * 86_400
        for (const elapsed of [0, 1, term / 2, term - 1, term, term + 1, seconds]) {
          const counted = BigInt(Math.min(elapsed, term))
          const expected = independentYield(position.amount, BigInt(position.apyBps), counted)
          expect(accruedYield(position, at(elapsed))).toBe(expected)
        }
        expect(accruedYield(position, unlocksAt(position))).toBe(termYield(position))
      }),
    ))

  it('counts whole seconds, and none before the start', () => {
    const position = termsOf(2n ** 53n - 1n)
    expect(accruedYield(position, at(10, 999))).toBe(accruedYield(position, at(10)))
    expect(accruedYield(position, at(11))).toBeGreaterThan(accruedYield(position, at(10)))
    expect(accruedYield(position, at(-1))).toBe(0n)
  })

  it('never falls as time goes on', () =>
    fc.assert(
      fc.property(
        terms,
        fc.nat({ max: 400 * 86_400 }),
        fc.nat({ max: 86_400 }),
        (position, seconds, more) => {
          const [earlier, later] = [at(seconds), at(seconds + more)]
          expect(accruedYield(position, later) >= accruedYield(position, earlier)).toBe(true)
        },
      ),
    ))
})

describe('claims', () => {
  const moments = fc.array(fc.nat({ max: 400 * 86_400 }), { maxLength: 40 })

  it('in many small steps pay exactly what one at the end pays', () =>
    fc.assert(
      fc.property(terms, moments, (position, seconds) => {
        let balance = full(position).balance
        let paid = 0n
        for (const elapsed of [...seconds.toSorted((a, b) => a - b), 400 * 86_400]) {
          const due = claimableYield({ ...position, balance }, at(elapsed))
          paid += due
          balance = cred(balance - due)
        }
        expect(paid).toBe(termYield(position))
        expect(balance).toBe(position.amount)
      }),
    ))

  it('leave principal and unearned yield behind, after any donation in between', () => {
    const step = fc.record({
      seconds: fc.nat({ max: 20 * 86_400 }),
      donation: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    })
    fc.assert(
      fc.property(terms, fc.array(step, { maxLength: 20 }), (position, steps) => {
        let [balance, elapsed] = [full(position).balance, 0]
        for (const { seconds, donation } of steps) {
          elapsed += seconds
          balance = cred(balance + donation)
          balance = cred(balance - claimableYield({ ...position, balance }, at(elapsed)))
          const unearned = termYield(position) - accruedYield(position, at(elapsed))
          expect(balance >= position.amount + unearned).toBe(true)
        }
      }),
    )
  })

  it('are counted from the balance: a donation lowers them, never below zero', () => {
    const position = full(termsOf(1_000_000_000n))
    const withBalance = (balance: bigint) => claimedYield({ ...position, balance: cred(balance) })
    expect(withBalance(position.balance)).toBe(0n)
    expect(withBalance(position.balance - 70n)).toBe(70n)
    expect(withBalance(position.balance - 70n + 30n)).toBe(40n)
    expect(withBalance(position.balance + 5n)).toBe(0n)
  })

  it('pay nothing once the owner took more than was earned out with the recovery key', () => {
    const position = { ...full(termsOf(1_000_000_000n)), balance: cred(10n) }
    expect(claimableYield(position, at(86_400))).toBe(0n)
  })
})

describe('the lock', () => {
  it('ends at unlocksAt, not a millisecond before', () => {
    const position = termsOf(1n, 7)
    expect(unlocksAt(position).toISOString()).toBe('2026-11-27T10:00:00.000Z')
    expect(isLocked(position, at(7 * 86_400 - 1, 999))).toBe(true)
    expect(isLocked(position, at(7 * 86_400))).toBe(false)
  })

  it('starts at the whole second', () => {
    expect(startOf(new Date('2026-11-20T10:00:00.999Z'))).toEqual(STAKED_AT)
    expect(startOf(STAKED_AT)).toEqual(STAKED_AT)
  })
})

describe('balances', () => {
  it('add up principal, its locked part and the yield due', () => {
    const positions = [full(termsOf(3_000_000_000n, 7)), full(termsOf(5_000_000_000n, 30))]
    const now = at(10 * 86_400)
    expect(totalsOf(positions, now)).toEqual({
      cred: 8_000_000_000n,
      stacked: 5_000_000_000n,
      pendingYield: positions.reduce((sum, position) => sum + claimableYield(position, now), 0n),
    })
    expect(totalsOf([], now)).toEqual({ cred: 0n, stacked: 0n, pendingYield: 0n })
  })

  it('do not round a total above 2^53', () => {
    const positions = Array.from({ length: 3 }, () => full(termsOf(2n ** 53n - 1n)))
    expect(totalsOf(positions, STAKED_AT).cred).toBe(3n * (2n ** 53n - 1n))
  })
})

describe('an amount as text', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000001'],
    [999_999_999n, '0.999999999'],
    [1_000_000_000n, '1'],
    [1_500_000_000n, '1.5'],
    [10_000_000_000n, '10'],
    [1_000_000_010n, '1.00000001'],
    [2n ** 64n - 1n, '18446744073.709551615'],
  ])('writes %d as %s', (amount, text) => {
    expect(formatAmount(cred(amount))).toBe(text)
  })

  it('reads back to the same amount, and never ends in a zero or a point after a point', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (amount) => {
        const text = formatAmount(amount as Cred)
        const [whole = '', fraction = ''] = text.split('.')
        expect(BigInt(whole + fraction.padEnd(9, '0'))).toBe(amount)
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/)
      }),
    ))

  it.each([-1n, 2n ** 64n])('is not made of %d, which is no amount', (amount) => {
    expect(() => cred(amount)).toThrow(RangeError)
  })
})

describe('an early payout', () => {
  const moments = fc.integer({ min: 0, max: 366 * 86_400_000 }).map((ms) => at(0, ms))
  const later = fc.integer({ min: 0, max: 7 * 86_400_000 })
  const skew = fc.integer({ min: 0, max: MAX_CLOCK_SKEW_MS })

  it('is not reported for a claim, at any millisecond, with clocks a minute apart', () => {
    fc.assert(
      fc.property(terms, moments, later, skew, (stake, builtAt, ms, ahead) => {
        const paid = accruedYield(stake, builtAt)
        const position = { ...full(stake), balance: cred(full(stake).balance - paid) }
        const seenAt = new Date(builtAt.getTime() + ms - ahead)
        expect(isPaidPrematurely(position, seenAt)).toBe(false)
        expect(isShort(position, seenAt)).toBe(false)
      }),
    )
  })

  it('is no withdrawal after the lock, by clocks a minute apart', () => {
    fc.assert(
      fc.property(terms, later, skew, (stake, ms, ahead) => {
        const seenAt = new Date(unlocksAt(stake).getTime() + ms - ahead)
        expect(isPaidPrematurely({ ...stake, balance: cred(0n) }, seenAt)).toBe(false)
      }),
    )
  })

  it('is any lamport below principal and yield to come, until a minute before unlock', () => {
    fc.assert(
      fc.property(terms, fc.nat({ max: 363 * 86_400_000 }), (stake, ms) => {
        const last = unlocksAt(stake).getTime() - MAX_CLOCK_SKEW_MS - 1
        const seenAt = new Date(Math.min(STAKED_AT.getTime() + ms, last))
        const judgedAt = new Date(seenAt.getTime() + MAX_CLOCK_SKEW_MS)
        const least = stake.amount + termYield(stake) - accruedYield(stake, judgedAt)
        expect(isPaidPrematurely({ ...stake, balance: cred(least) }, seenAt)).toBe(false)
        expect(isPaidPrematurely({ ...stake, balance: cred(least - 1n) }, seenAt)).toBe(true)
      }),
    )
  })

  it('of all is still seen by a read after the lock, of one that was seen before', () => {
    const stake = termsOf(1_000n, 7)
    const after = new Date(unlocksAt(stake).getTime() + 86_400_000)
    expect(isShort({ ...stake, balance: cred(0n) }, after)).toBe(true)
    expect(isShort({ ...stake, balance: stake.amount }, after)).toBe(false)
  })
})
