import { LAST_INSTANT_MS } from '../../schema/times.ts'
import type { ReputationTier, VerificationLevel } from '../../schema/values.ts'
import { type Hirers, NO_PAYERS, reliability } from '../dealings/rules.ts'

const DAY_MS = 86_400_000

/** Each part of the score goes from 0 to this; the score is their sum. */
const MAX_PART = 200

/** What an attestation of each level is worth to the skill part. */
export const POINTS = {
  self_attested: 5,
  document_submitted: 15,
  third_party_verified: 50,
  on_chain_proven: 75,
} as const satisfies Record<VerificationLevel, number>

/** The most that unverified attestations count together. */
const MAX_UNVERIFIED_POINTS = 40

const DAYS_TO_FULL_TENURE = 365

const SOCIAL_SCALE = 10
/** A counterparty that paid nothing, or a pioneer brought, adds this to n of the social part … */
const UNPAID_WEIGHT = 1 / 10
/** … and all of them together at most this. */
const MAX_UNPAID_WEIGHT = 2

/** A layer of infrastructure: declared by an active agent, and at most more by what is paid on it. */
const POINTS_PER_LAYER = { declared: 5, paid: 35 }

/** The layers of infrastructure services, such as compute, network and storage. */
export const INFRASTRUCTURE_LAYERS = { first: 6, last: 11 } as const

/** What is known of a wallet. The first three cost nothing to make, so they count for little. */
export type Facts = {
  firstLoginAt: Date | null
  /** Distinct other wallets whose hire of one of its agents ran its first term. */
  hirers: number
  /** Distinct wallets of such hires on either side, or that it brought as pioneers. */
  counterparties: number
  /** Distinct infrastructure layers that its active agents serve. */
  infrastructureLayers: number
  attestations: { level: VerificationLevel; expiresAt: Date | null }[]
  paid: Paid
}

/** What was paid: each a sum of weights from 0 (nothing) to 1 (a full step of protocol fees). */
type Paid = {
  /** Of hirers of its agents. */
  payers: Hirers['payers']
  /** Of wallets that paid it or that it paid, and how many of `counterparties` these are. */
  counterparties: { weight: number; count: number }
  /** Of the infrastructure layers, by what was paid on each. */
  layers: number
}

/** Until payments exist. */
export const NOTHING_PAID: Paid = {
  payers: NO_PAYERS,
  counterparties: { weight: 0, count: 0 },
  layers: 0,
}

type Breakdown = Record<'reliability' | 'skill' | 'tenure' | 'social' | 'infrastructure', number>

/** The facts behind each part of the score. */
type Evidence = {
  reliability: { hirers: number }
  /** Live attestations of each level. */
  skill: Record<VerificationLevel, number>
  tenure: { since: Date | null }
  social: { counterparties: number }
  infrastructure: { layers: number }
}

export type Standing = {
  score: number
  tier: ReputationTier
  breakdown: Breakdown
  evidence: Evidence
  /** What is missing to the next tier; absent at the top. */
  nextTier?: { tier: ReputationTier; score: number; missingScore: number; needsVerifiedAttestation: boolean }
}

/** Lowest score of each tier, highest tier first. */
const TIERS: { tier: ReputationTier; score: number; needsVerified: boolean }[] = [
  { tier: 'Elite', score: 850, needsVerified: true },
  { tier: 'Power', score: 650, needsVerified: true },
  { tier: 'Trusted', score: 450, needsVerified: true },
  { tier: 'Verified', score: 250, needsVerified: true },
  { tier: 'Basic', score: 100, needsVerified: false },
  { tier: 'Unverified', score: 0, needsVerified: false },
]

/**
 * Computes a wallet's score (0 to 1000), its tier and what is missing to the next, at `now`. An attestation
 * counts until its expiry and not a millisecond longer.
 */
export function standingOf(facts: Facts, now: Date): Standing {
  const live = facts.attestations.filter(({ expiresAt }) => expiresAt === null || now < expiresAt)
  const breakdown: Breakdown = {
    reliability: rounded(MAX_PART * reliability({ hirers: facts.hirers, payers: facts.paid.payers })),
    skill: skillOf(live.map(({ level }) => level)),
    tenure: rounded(tenureOf(facts.firstLoginAt, now)),
    social: rounded(MAX_PART * (1 - Math.exp(-socialWeight(facts) / SOCIAL_SCALE))),
    infrastructure: rounded(infrastructureOf(facts)),
  }
  const score = rounded(Object.values(breakdown).reduce((sum, part) => sum + part, 0))
  const isVerified = live.some(({ level }) => isVerifiedLevel(level))
  const reached = TIERS.findIndex((tier) => score >= tier.score && (isVerified || !tier.needsVerified))
  const next = TIERS[reached - 1]
  return {
    score,
    tier: TIERS[reached]?.tier ?? 'Unverified',
    breakdown,
    evidence: evidenceOf(facts, live),
    ...(next === undefined
      ? {}
      : {
          nextTier: {
            tier: next.tier,
            score: next.score,
            missingScore: rounded(Math.max(0, next.score - score)),
            needsVerifiedAttestation: next.needsVerified && !isVerified,
          },
        }),
  }
}

const isVerifiedLevel = (level: VerificationLevel) =>
  level === 'third_party_verified' || level === 'on_chain_proven'

function skillOf(levels: VerificationLevel[]): number {
  const pointsOf = (some: VerificationLevel[]) => some.reduce((sum, level) => sum + POINTS[level], 0)
  const verified = pointsOf(levels.filter(isVerifiedLevel))
  const unverified = pointsOf(levels.filter((level) => !isVerifiedLevel(level)))
  return Math.min(MAX_PART, verified + Math.min(MAX_UNVERIFIED_POINTS, unverified))
}

/** Weighs whom a wallet has dealt with: those that paid or were paid, and a little for all others. */
function socialWeight({ counterparties, paid }: Facts): number {
  const unpaid = Math.max(0, counterparties - paid.counterparties.count)
  return paid.counterparties.weight + Math.min(MAX_UNPAID_WEIGHT, UNPAID_WEIGHT * unpaid)
}

const infrastructureOf = ({ infrastructureLayers, paid }: Facts): number =>
  Math.min(MAX_PART, POINTS_PER_LAYER.declared * infrastructureLayers + POINTS_PER_LAYER.paid * paid.layers)

function evidenceOf(facts: Facts, live: Facts['attestations']): Evidence {
  const of = (wanted: VerificationLevel) => live.filter(({ level }) => level === wanted).length
  return {
    reliability: { hirers: facts.hirers },
    skill: {
      self_attested: of('self_attested'),
      document_submitted: of('document_submitted'),
      third_party_verified: of('third_party_verified'),
      on_chain_proven: of('on_chain_proven'),
    },
    tenure: { since: facts.firstLoginAt },
    social: { counterparties: facts.counterparties },
    infrastructure: { layers: facts.infrastructureLayers },
  }
}

function tenureOf(firstLoginAt: Date | null, now: Date): number {
  if (firstLoginAt === null) return 0
  const days = Math.max(0, now.getTime() - firstLoginAt.getTime()) / DAY_MS
  return MAX_PART * Math.sqrt(Math.min(1, days / DAYS_TO_FULL_TENURE))
}

/** Rounds to two decimals, so that the parts shown add up to the score shown. */
const rounded = (value: number): number => Math.round(value * 100) / 100

/** The level of an attestation that nobody has verified. */
export const levelOf = (documentUrl: string | null | undefined): VerificationLevel =>
  documentUrl ? 'document_submitted' : 'self_attested'

/**
 * Computes the instant at which a credential with this expiry date has expired: the end of that day, UTC. The
 * end of the last day that can be written, 9999-12-31, is a millisecond early.
 */
export const expiryInstant = (expiryDate: string): Date =>
  new Date(Math.min(LAST_INSTANT_MS, new Date(`${expiryDate}T00:00:00Z`).getTime() + DAY_MS))

/** Open expedited requests of a wallet: a further one is taken as normal. */
export const MAX_OPEN_EXPEDITED = 3

/** How far the earliest time zone is ahead of UTC: a credential bears the date of the place of issue. */
const EARLIEST_ZONE_MS = 14 * 3_600_000

/** Finds what is wrong with a credential's dates at `now`, if anything, and with which field. */
export function dateFault(
  { issuedDate, expiryDate }: { issuedDate?: string | undefined; expiryDate?: string | undefined },
  now: Date,
): { path: 'issuedDate' | 'expiryDate'; message: string } | undefined {
  const today = new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10)
  if (issuedDate !== undefined && issuedDate > today) {
    return { path: 'issuedDate', message: 'must not lie in the future' }
  }
  if (issuedDate !== undefined && expiryDate !== undefined && expiryDate < issuedDate) {
    return { path: 'expiryDate', message: 'must not lie before issuedDate' }
  }
  if (expiryDate !== undefined && now >= expiryInstant(expiryDate)) {
    return { path: 'expiryDate', message: 'must not have passed' }
  }
  return undefined
}
