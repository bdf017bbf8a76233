import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  collectedFor,
  NO_PAYERS,
  protocolFee,
  reliability,
  wilsonLowerBound,
} from '../../../../lib/reputation/counterparties/rules.ts'
import { agentScore } from '../../../support/agent-score.ts'

describe('the Wilson lower bound', () => {
  /** Completed and counted, to as many hires as an agent may ever have. */
  const pairs = fc
    .oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 1_000_000 }))
    .chain((counted) => fc.tuple(fc.nat(counted), fc.constant(counted)))
  const holds = (property: (completed: number, counted: number) => void) =>
    fc.assert(
      fc.property(pairs, ([completed, counted]) => property(completed, counted)),
      { numRuns: 2_000 },
    )

  it.each([
    [0, 0, 0],
    [0, 5, 0],
    [1, 1, 0.20654],
    [9, 10, 0.59584],
    [10, 10, 0.72246],
    [50, 100, 0.40383],
    [1000, 1000, 0.99617],
  ])('of %i in %i is %f', (completed, counted, bound) => {
    expect(wilsonLowerBound(completed, counted)).toBeCloseTo(bound, 5)
  })

  it('is the usual formula', () => {
    holds((completed, counted) => {
      const [z, p, n] = [1.96, completed / counted, counted]
      const margin = z * Math.sqrt((p * (1 - p) + (z * z) / (4 * n)) / n)
      const usual = (p + (z * z) / (2 * n) - margin) / (1 + (z * z) / n)
      expect(wilsonLowerBound(completed, counted)).toBeCloseTo(usual, 10)
    })
  })

  it('is at least 0, and below the share itself', () => {
    holds((completed, counted) => {
      const bound = wilsonLowerBound(completed, counted)
      expect(bound).toBeGreaterThanOrEqual(0)
      expect(bound).toBeLessThanOrEqual(completed / counted)
      expect(bound).toBeLessThan(1)
    })
  })

  it('rises with the satisfied share', () => {
    holds((completed, counted) => {
      const more = wilsonLowerBound(Math.min(completed + 1, counted), counted)
      expect(more).toBeGreaterThanOrEqual(wilsonLowerBound(completed, counted))
    })
  })

  it('never falls with a satisfied payer, nor rises with an unsatisfied one', () => {
    holds((completed, counted) => {
      const bound = wilsonLowerBound(completed, counted)
      expect(wilsonLowerBound(completed + 1, counted + 1)).toBeGreaterThanOrEqual(bound)
      expect(wilsonLowerBound(completed, counted + 1)).toBeLessThanOrEqual(bound)
    })
  })
})

describe('reliability', () => {
  const weights = fc.double({ min: 0, max: 10_000, noNaN: true }).chain((weight) =>
    fc.record({
      hirers: fc.nat(2 ** 31 - 1),
      payers: fc
        .double({ min: 0, max: 1, noNaN: true })
        .map((share) => ({ weight, satisfied: share * weight })),
    }),
  )

  it('is from 0 to 1, and at most a fifth while nobody pays', () => {
    fc.assert(
      fc.property(weights, (of) => {
        expect(reliability(of)).toBeGreaterThanOrEqual(0)
        expect(reliability(of)).toBeLessThanOrEqual(1)
        expect(reliability({ ...of, payers: NO_PAYERS })).toBeLessThan(0.2)
        expect(agentScore({ ...of, payers: NO_PAYERS })).toBeLessThanOrEqual(20)
      }),
    )
  })

  it.each([
    [0, 0],
    [1, 4],
    [4, 10],
    [36, 18],
    [500, 19.84],
  ])('of %i unpaid hirers is %f of an agent’s 100', (hirers, score) => {
    expect(agentScore({ hirers, payers: NO_PAYERS })).toBe(score)
  })
})

describe('the protocol fee', () => {
  it.each([
    [1n, 1n],
    [99n, 1n],
    [100n, 1n],
    [101n, 2n],
    [10_000n, 100n],
    [2n ** 53n - 1n, 90_071_992_547_410n],
  ])('of %i lamports at 100 basis points is %i', (amount, fee) => {
    expect(protocolFee(amount, 100)).toBe(fee)
    expect(protocolFee(amount, 0)).toBe(0n)
  })

  it.each([[1], [100], [333], [10_000]])(
    'at %i basis points is reached by the least collected amount, and by no less',
    (bps) => {
      fc.assert(
        fc.property(fc.bigInt(1n, 10n ** 14n), (fee) => {
          const least = collectedFor(fee, bps)
          expect(protocolFee(least, bps)).toBeGreaterThanOrEqual(fee)
          expect(protocolFee(least - 1n, bps)).toBeLessThan(fee)
        }),
      )
      expect(collectedFor(0n, bps)).toBe(0n)
    },
  )
})
