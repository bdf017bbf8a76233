import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expiryInstant } from '../../../lib/reputation/attestations/credentials.ts'
import { type Facts, NOTHING_PAID, summaryOf } from '../../../lib/reputation/rules.ts'
import { verificationLevels } from '../../../schema/values.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const DAY = 86_400_000

const nobody: Facts = {
  firstLoginAt: null,
  hirers: 0,
  counterparties: 0,
  infrastructureLayers: 0,
  attestations: [],
  paid: NOTHING_PAID,
}
const NO_EVIDENCE = {
  reliability: { hirers: 0, payers: { weight: 0, satisfied: 0 } },
  skill: { self_attested: 0, document_submitted: 0, third_party_verified: 0, on_chain_proven: 0 },
  tenure: { since: null },
  social: { counterparties: 0, paid: 0 },
  infrastructure: { layers: 0, paid: 0 },
}
const summary = (facts: Partial<Facts>, now = NOW) => summaryOf({ ...nobody, ...facts }, now)
const of = (...levels: (typeof verificationLevels)[number][]) =>
  levels.map((level) => ({ level, expiresAt: null }))

const anyAttestation = fc.record({
  level: fc.constantFrom(...verificationLevels),
  expiresAt: fc.option(fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true })),
})
const weight = (max: number) => fc.double({ min: 0, max, noNaN: true })
const anyPaid = fc.record({
  payers: fc.tuple(weight(5000), weight(1)).map(([all, share]) => ({ weight: all, satisfied: all * share })),
  payees: weight(1000),
  layers: weight(6),
})
const anyFacts: fc.Arbitrary<Facts> = fc.record({
  firstLoginAt: fc.option(fc.date({ min: new Date('2020-01-01'), max: NOW, noInvalidDate: true })),
  hirers: fc.nat(5000),
  counterparties: fc.nat(1000),
  infrastructureLayers: fc.integer({ min: 0, max: 6 }),
  attestations: fc.array(anyAttestation, { maxLength: 12 }),
  paid: fc.oneof(fc.constant(NOTHING_PAID), anyPaid),
})
/** As paid by one more, who is satisfied. */
const paidMore = ({ payers, ...paid }: Facts['paid'], more: number): Facts['paid'] => ({
  ...paid,
  payers: { weight: payers.weight + more, satisfied: payers.satisfied + more },
})
/** Facts that any number of wallets can make without a payment and without anybody vouching for them. */
const freeFacts: fc.Arbitrary<Facts> = fc.record({
  firstLoginAt: fc.option(fc.date({ min: new Date('2020-01-01'), max: NOW, noInvalidDate: true })),
  hirers: fc.oneof(fc.nat(600), fc.nat(2 ** 31 - 1)),
  counterparties: fc.oneof(fc.nat(600), fc.nat(2 ** 31 - 1)),
  infrastructureLayers: fc.integer({ min: 0, max: 6 }),
  attestations: fc.array(
    fc.record({
      level: fc.constantFrom('self_attested' as const, 'document_submitted' as const),
      expiresAt: fc.constant(null),
    }),
    { maxLength: 200 },
  ),
  paid: fc.constant(NOTHING_PAID),
})

describe('a score', () => {
  it('stays in range, each part too, and is the sum of the parts shown', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score, breakdown } = summaryOf(facts, NOW)
        for (const part of Object.values(breakdown)) {
          expect(part).toBeGreaterThanOrEqual(0)
          expect(part).toBeLessThanOrEqual(200)
        }
        expect(score).toBeCloseTo(
          Object.values(breakdown).reduce((sum, part) => sum + part, 0),
          6,
        )
      }),
    )
  })

  it('never falls when a good fact is added', () => {
    const improvements: ((facts: Facts) => Facts)[] = [
      (f) => ({ ...f, hirers: f.hirers + 1 }),
      (f) => ({ ...f, counterparties: f.counterparties + 1 }),
      (f) => ({ ...f, infrastructureLayers: f.infrastructureLayers + 1 }),
      (f) => ({ ...f, attestations: [...f.attestations, { level: 'self_attested', expiresAt: null }] }),
      (f) => ({ ...f, attestations: [...f.attestations, { level: 'on_chain_proven', expiresAt: null }] }),
      (f) => ({ ...f, firstLoginAt: f.firstLoginAt ?? NOW }),
      // However little: one lamport paid must not cost what the counterparty is worth unpaid.
      (f) => ({ ...f, paid: paidMore(f.paid, 1e-9) }),
      (f) => ({ ...f, paid: paidMore(f.paid, 1) }),
      (f) => ({ ...f, paid: { ...f.paid, payees: f.paid.payees + 1e-9 } }),
      (f) => ({ ...f, paid: { ...f.paid, layers: f.paid.layers + 1 } }),
    ]
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...improvements), (facts, improve) => {
        expect(summaryOf(improve(facts), NOW).score).toBeGreaterThanOrEqual(summaryOf(facts, NOW).score)
      }),
    )
  })

  it('of all free facts is below 150, tenure aside', () => {
    fc.assert(
      fc.property(freeFacts, (facts) => {
        const { score, breakdown } = summaryOf(facts, NOW)
        expect(score - breakdown.tenure).toBeLessThan(150)
        expect(breakdown.reliability).toBeLessThanOrEqual(40)
        expect(breakdown.skill).toBeLessThanOrEqual(40)
        expect(breakdown.social).toBeLessThanOrEqual(36.26)
        expect(breakdown.infrastructure).toBeLessThanOrEqual(30)
      }),
      { numRuns: 2_000 },
    )
    const most = {
      hirers: 2 ** 31 - 1,
      counterparties: 2 ** 31 - 1,
      infrastructureLayers: 6,
      attestations: of(...Array(200).fill('document_submitted')),
    }
    expect(summary(most).score).toBeLessThan(150)
  })

  it('falls when an attestation expires, at the exact instant', () => {
    const expiresAt = expiryInstant('2026-12-31')
    const facts = { attestations: [{ level: 'on_chain_proven' as const, expiresAt }] }
    expect(summary(facts, new Date(expiresAt.getTime() - 1)).score).toBe(75)
    expect(summary(facts, expiresAt).score).toBe(0)
    expect(expiresAt.toISOString()).toBe('2027-01-01T00:00:00.000Z')
  })

  it('of an unknown wallet is 0 and Unverified', () => {
    expect(summary({})).toEqual({
      score: 0,
      tier: 'Unverified',
      breakdown: { reliability: 0, skill: 0, tenure: 0, social: 0, infrastructure: 0 },
      evidence: NO_EVIDENCE,
      nextTier: {
        tier: 'Basic',
        score: 100,
        missingScore: 100,
        needsVerifiedAttestation: false,
        // 70.16 of reliability and 51.84 of social.
        payers: 3,
      },
    })
  })
})

describe('each part', () => {
  it('reliability is up to 40 by hirers, and the rest by payers', () => {
    expect(summary({ hirers: 1 }).breakdown.reliability).toBe(8)
    expect(summary({ hirers: 4 }).breakdown.reliability).toBe(20)
    expect(summary({ hirers: 500 }).breakdown.reliability).toBeCloseTo(39.68, 2)
    // 100 of 100: 0.96301; 8 of 10: 0.49016 (Wilson's interval at 95 percent, from a table).
    const payers = (satisfied: number, weight: number) => ({ ...NOTHING_PAID, payers: { satisfied, weight } })
    expect(summary({ paid: payers(100, 100) }).breakdown.reliability).toBeCloseTo(0.96301 * 160, 1)
    expect(summary({ paid: payers(8, 10) }).breakdown.reliability).toBeCloseTo(0.49016 * 160, 1)
    expect(summary({ paid: payers(0, 10) }).breakdown.reliability).toBe(0)
  })

  it('skill caps unverified attestations at 40, and all at 200', () => {
    expect(summary({ attestations: of('self_attested') }).breakdown.skill).toBe(5)
    expect(summary({ attestations: of('document_submitted', 'document_submitted') }).breakdown.skill).toBe(30)
    expect(summary({ attestations: of(...Array(20).fill('document_submitted')) }).breakdown.skill).toBe(40)
    expect(summary({ attestations: of('third_party_verified', 'self_attested') }).breakdown.skill).toBe(55)
    expect(summary({ attestations: of(...Array(3).fill('on_chain_proven')) }).breakdown.skill).toBe(200)
  })

  it('tenure grows with the root of time and is full after a year', () => {
    const since = (days: number) =>
      summary({ firstLoginAt: new Date(NOW.getTime() - days * DAY) }).breakdown.tenure
    expect(since(0)).toBe(0)
    expect(since(365 / 4)).toBe(100)
    expect(since(365)).toBe(200)
    expect(since(4000)).toBe(200)
  })

  it('social counts a tenth per unpaid counterparty, at most two in all', () => {
    expect(summary({ counterparties: 1 }).breakdown.social).toBe(1.99)
    expect(summary({ counterparties: 20 }).breakdown.social).toBe(36.25)
    expect(summary({ counterparties: 1000 }).breakdown.social).toBe(36.25)
    // 200 (1 - e^-1), on either side; and 200 (1 - e^-1.1) for ten that also ran their first term.
    const payers = { weight: 10, satisfied: 0 }
    expect(summary({ paid: { ...NOTHING_PAID, payers } }).breakdown.social).toBe(126.42)
    const paid = { ...NOTHING_PAID, payees: 10 }
    expect(summary({ paid }).breakdown.social).toBe(126.42)
    expect(summary({ counterparties: 10, paid }).breakdown.social).toBe(133.43)
  })

  it('infrastructure counts 5 for a declared layer, and up to 35 more for payments', () => {
    expect(summary({ infrastructureLayers: 3 }).breakdown.infrastructure).toBe(15)
    expect(summary({ infrastructureLayers: 6 }).breakdown.infrastructure).toBe(30)
    const paid = { ...NOTHING_PAID, layers: 2 }
    expect(summary({ infrastructureLayers: 3, paid }).breakdown.infrastructure).toBe(85)
  })

  it('each returns its facts, without expired attestations', () => {
    const expired = { level: 'on_chain_proven' as const, expiresAt: NOW }
    const facts = {
      firstLoginAt: NOW,
      hirers: 3,
      counterparties: 5,
      infrastructureLayers: 2,
      attestations: [...of('self_attested', 'third_party_verified', 'self_attested'), expired],
      paid: { payers: { weight: 2.5, satisfied: 1.5 }, payees: 4, layers: 0.5 },
    }
    expect(summary(facts).evidence).toEqual({
      reliability: { hirers: 3, payers: { weight: 2.5, satisfied: 1.5 } },
      skill: { self_attested: 2, document_submitted: 0, third_party_verified: 1, on_chain_proven: 0 },
      tenure: { since: NOW },
      social: { counterparties: 5, paid: 6.5 },
      infrastructure: { layers: 2, paid: 0.5 },
    })
  })
})

describe('a tier', () => {
  const yearOld = { firstLoginAt: new Date(NOW.getTime() - 365 * DAY) }

  it('follows the score', () => {
    expect(summary({ firstLoginAt: new Date(NOW.getTime() - 91 * DAY) }).tier).toBe('Unverified')
    expect(summary({ firstLoginAt: new Date(NOW.getTime() - 92 * DAY) }).tier).toBe('Basic')
    // A year's 200, a proof's 75, and all of social and infrastructure.
    const rich = {
      ...yearOld,
      infrastructureLayers: 6,
      counterparties: 1000,
      attestations: of('on_chain_proven'),
      paid: { ...NOTHING_PAID, payees: 1000, layers: 5 },
    }
    expect(summary(rich)).toMatchObject({
      score: 675,
      tier: 'Power',
      nextTier: { tier: 'Elite', missingScore: 175 },
    })
    const payers = { weight: 5000, satisfied: 5000 }
    const elite = summary({ ...rich, hirers: 5000, paid: { ...rich.paid, payers } })
    expect(elite.tier).toBe('Elite')
    expect(elite).not.toHaveProperty('nextTier')
  })

  it('above Basic needs a valid verified attestation', () => {
    const paid = { ...NOTHING_PAID, layers: 5 }
    const scored = { ...yearOld, infrastructureLayers: 5, paid }
    expect(summary(scored)).toMatchObject({
      score: 400,
      tier: 'Basic',
      nextTier: { tier: 'Verified', missingScore: 0, needsVerifiedAttestation: true },
    })
    expect(summary({ ...scored, attestations: of('third_party_verified') }).tier).toBe('Trusted')
    const expired = [{ level: 'third_party_verified' as const, expiresAt: NOW }]
    expect(summary({ ...scored, attestations: expired }).tier).toBe('Basic')
  })
})
