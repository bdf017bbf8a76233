import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateFault, expiryInstant, type Facts, standingOf } from '../../../lib/reputation/rules.ts'
import { verificationLevels } from '../../../schema/values.ts'

const NOW = new Date('2026-11-20T12:00:00.000Z')
const DAY = 86_400_000

const nobody: Facts = {
  firstLoginAt: null,
  completedHires: 0,
  countedHires: 0,
  counterparties: 0,
  infrastructureLayers: 0,
  attestations: [],
}
const standing = (facts: Partial<Facts>, now = NOW) => standingOf({ ...nobody, ...facts }, now)
const of = (...levels: (typeof verificationLevels)[number][]) =>
  levels.map((level) => ({ level, expiresAt: null }))

const anyAttestation = fc.record({
  level: fc.constantFrom(...verificationLevels),
  expiresAt: fc.option(fc.date({ min: new Date(0), max: new Date('2030-01-01'), noInvalidDate: true })),
})
const anyFacts: fc.Arbitrary<Facts> = fc
  .record({
    firstLoginAt: fc.option(fc.date({ min: new Date('2020-01-01'), max: NOW, noInvalidDate: true })),
    completedHires: fc.nat(5000),
    cutShort: fc.nat(5000),
    counterparties: fc.nat(1000),
    infrastructureLayers: fc.integer({ min: 0, max: 6 }),
    attestations: fc.array(anyAttestation, { maxLength: 12 }),
  })
  .map(({ cutShort, ...facts }) => ({ ...facts, countedHires: facts.completedHires + cutShort }))

describe('a score', () => {
  it('stays in range, each part too, and is the sum of the parts shown', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { score, breakdown } = standingOf(facts, NOW)
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
      (f) => ({ ...f, completedHires: f.completedHires + 1, countedHires: f.countedHires + 1 }),
      (f) => ({ ...f, counterparties: f.counterparties + 1 }),
      (f) => ({ ...f, infrastructureLayers: f.infrastructureLayers + 1 }),
      (f) => ({ ...f, attestations: [...f.attestations, { level: 'self_attested', expiresAt: null }] }),
      (f) => ({ ...f, attestations: [...f.attestations, { level: 'on_chain_proven', expiresAt: null }] }),
      (f) => ({ ...f, firstLoginAt: f.firstLoginAt ?? NOW }),
    ]
    fc.assert(
      fc.property(anyFacts, fc.constantFrom(...improvements), (facts, improve) => {
        expect(standingOf(improve(facts), NOW).score).toBeGreaterThanOrEqual(standingOf(facts, NOW).score)
      }),
    )
  })

  it('falls when an attestation expires, at the exact instant', () => {
    const expiresAt = expiryInstant('2026-12-31')
    const facts = { attestations: [{ level: 'on_chain_proven' as const, expiresAt }] }
    expect(standing(facts, new Date(expiresAt.getTime() - 1)).score).toBe(75)
    expect(standing(facts, expiresAt).score).toBe(0)
    expect(expiresAt.toISOString()).toBe('2027-01-01T00:00:00.000Z')
  })

  it('of a wallet that nobody knows is 0 and Unverified', () => {
    expect(standing({})).toEqual({
      score: 0,
      tier: 'Unverified',
      breakdown: { reliability: 0, skill: 0, tenure: 0, social: 0, infrastructure: 0 },
      nextTier: { tier: 'Basic', score: 100, missingScore: 100, needsVerifiedAttestation: false },
    })
  })
})

describe('each part', () => {
  it('reliability is the Wilson lower bound of hires that ran their term', () => {
    // 100 of 100: 0.96301; 8 of 10: 0.49016 (Wilson's interval at 95 percent, from a table).
    expect(standing({ completedHires: 100, countedHires: 100 }).breakdown.reliability).toBeCloseTo(192.6, 1)
    expect(standing({ completedHires: 8, countedHires: 10 }).breakdown.reliability).toBeCloseTo(98.03, 1)
    expect(standing({ completedHires: 0, countedHires: 10 }).breakdown.reliability).toBe(0)
  })

  it('skill caps what nobody verified at 40, and everything at 200', () => {
    expect(standing({ attestations: of('self_attested') }).breakdown.skill).toBe(5)
    expect(standing({ attestations: of('document_submitted', 'document_submitted') }).breakdown.skill).toBe(
      30,
    )
    expect(standing({ attestations: of(...Array(20).fill('document_submitted')) }).breakdown.skill).toBe(40)
    expect(standing({ attestations: of('third_party_verified', 'self_attested') }).breakdown.skill).toBe(55)
    expect(standing({ attestations: of(...Array(3).fill('on_chain_proven')) }).breakdown.skill).toBe(200)
  })

  it('tenure grows with the root of time and is full after a year', () => {
    const since = (days: number) =>
      standing({ firstLoginAt: new Date(NOW.getTime() - days * DAY) }).breakdown.tenure
    expect(since(0)).toBe(0)
    expect(since(365 / 4)).toBe(100)
    expect(since(365)).toBe(200)
    expect(since(4000)).toBe(200)
  })

  it('social saturates, infrastructure counts 40 a layer', () => {
    expect(standing({ counterparties: 10 }).breakdown.social).toBeCloseTo(126.42, 2)
    expect(standing({ counterparties: 1000 }).breakdown.social).toBe(200)
    expect(standing({ infrastructureLayers: 3 }).breakdown.infrastructure).toBe(120)
    expect(standing({ infrastructureLayers: 6 }).breakdown.infrastructure).toBe(200)
  })
})

describe('a tier', () => {
  const yearOld = { firstLoginAt: new Date(NOW.getTime() - 365 * DAY) }

  it('follows the score', () => {
    expect(standing({ firstLoginAt: new Date(NOW.getTime() - 91 * DAY) }).tier).toBe('Unverified')
    expect(standing({ firstLoginAt: new Date(NOW.getTime() - 92 * DAY) }).tier).toBe('Basic')
    const rich = {
      ...yearOld,
      infrastructureLayers: 5,
      counterparties: 1000,
      attestations: of('on_chain_proven'),
    }
    expect(standing(rich)).toMatchObject({
      score: 675,
      tier: 'Power',
      nextTier: { tier: 'Elite', missingScore: 175 },
    })
    const elite = standing({ ...rich, completedHires: 5000, countedHires: 5000 })
    expect(elite.tier).toBe('Elite')
    expect(elite).not.toHaveProperty('nextTier')
  })

  it('above Basic needs a verified attestation that is live', () => {
    const scored = { ...yearOld, infrastructureLayers: 5 }
    expect(standing(scored)).toMatchObject({
      score: 400,
      tier: 'Basic',
      nextTier: { tier: 'Verified', missingScore: 0, needsVerifiedAttestation: true },
    })
    expect(standing({ ...scored, attestations: of('third_party_verified') }).tier).toBe('Trusted')
    const expired = [{ level: 'third_party_verified' as const, expiresAt: NOW }]
    expect(standing({ ...scored, attestations: expired }).tier).toBe('Basic')
  })
})

describe('the dates of a credential', () => {
  it.each([
    [{ issuedDate: '2026-11-20' }, undefined],
    // It is already the 21st on the first islands at 12:00 UTC.
    [{ issuedDate: '2026-11-21' }, undefined],
    [{ issuedDate: '2026-11-22' }, 'issuedDate'],
    [{ expiryDate: '2026-11-20' }, undefined],
    [{ expiryDate: '2026-11-19' }, 'expiryDate'],
    [{ issuedDate: '2026-11-20', expiryDate: '2026-11-20' }, undefined],
    [{ issuedDate: '2026-11-21', expiryDate: '2026-11-20' }, 'expiryDate'],
    [{}, undefined],
  ])('%o: fault in %s', (dates, path) => {
    expect(dateFault(dates, NOW)?.path).toBe(path)
  })
})
