import type { ReputationTier, VerificationLevel } from '../../schema/values.ts'
import { DAY_MS } from '../time.ts'
import { type Hirers, NO_PAYERS, reliability } from './counterparties/rules.ts'

/** The most points of each part of the score. */
export const MAX_PART = 200

/** The points of an attestation of each level. */
export const POINTS = {
  self_attested: 5,
  document_submitted: 15,
  third_party_verified: 50,
  on_chain_proven: 75,
} as const satisfies Record<VerificationLevel, number>

/** The most points of all unverified attestations together. */
export const MAX_UNVERIFIED_POINTS = 40

export const DAYS_TO_FULL_TENURE = 365

export const SOCIAL_SCALE = 10
/** The weight that each counterparty, paying or not, and each pioneer brought adds to the social part. */
export const FREE_WEIGHT = 1 / 10
/** The most weight that they add together. */
export const MAX_FREE_WEIGHT = 2

/**
 * Points of an infrastructure layer: if an active agent declares it, and at most by payments for it.
 */
export const POINTS_PER_LAYER = { declared: 5, paid: 35 }

/** The layers of infrastructure services, such as compute, network and storage. */
export const INFRASTRUCTURE_LAYERS = { first: 6, last: 11 } as const

/** The facts of a wallet. The first three cost nothing, so they count little. */
export type Facts = {
  firstLoginAt: Date | null
  /** Distinct other wallets whose hire of one of its agents ran its first term. */
  hirers: number
  /** Distinct wallets on the other side of such hires, or brought as pioneers. */
  counterparties: number
  /** Distinct infrastructure layers that its active agents serve. */
  infrastructureLayers: number
  attestations: { level: VerificationLevel; expiresAt: Date | null }[]
  paid: Paid
}

/** Sums of weights, each from 0 (nothing) to 1 (a full step of protocol fees). */
type Paid = {
  /** The weights of hirers of its agents. */
  payers: Hirers['payers']
  /** The weights of the wallet itself, with the owners whose agents it paid. */
  payees: number
  /** The weights of the infrastructure layers, by payments to the wallet for each. */
  layers: number
}

/** The weights of a wallet that neither paid nor was paid. */
export const NOTHING_PAID: Paid = { payers: NO_PAYERS, payees: 0, layers: 0 }

type Breakdown = Record<'reliability' | 'skill' | 'tenure' | 'social' | 'infrastructure', number>

/** The facts behind each part of the score. */
type Evidence = {
  reliability: { hirers: number; payers: Paid['payers'] }
  /** The number of valid attestations of each level. */
  skill: Record<VerificationLevel, number>
  tenure: { since: Date | null }
  social: { counterparties: number; paid: number }
  infrastructure: { layers: number; paid: number }
}

export type ReputationSummary = {
  score: number
  tier: ReputationTier
  breakdown: Breakdown
  evidence: Evidence
  /** The requirements of the next tier; absent at the top. */
  nextTier?: {
    tier: ReputationTier
    score: number
    missingScore: number
    needsVerifiedAttestation: boolean
    /** The satisfied payers of weight 1 that give the missing score; absent if 100 are not enough. */
    payers?: number
  }
}

/** Lowest score of each tier, highest tier first. */
export const TIERS: { tier: ReputationTier; score: number; needsVerified: boolean }[] = [
  { tier: 'Elite', score: 850, needsVerified: true },
  { tier: 'Power', score: 650, needsVerified: true },
  { tier: 'Trusted', score: 450, needsVerified: true },
  { tier: 'Verified', score: 250, needsVerified: true },
  { tier: 'Basic', score: 100, needsVerified: false },
  { tier: 'Unverified', score: 0, needsVerified: false },
]

/**
 * Computes a wallet's score (0 to 1000), its tier and the requirements of the next tier, at `now`. An
 * attestation counts until its expiry.
 */
export function summaryOf(facts: Facts, now: Date): ReputationSummary {
  const live = {
    ...facts,
    attestations: facts.attestations.filter(({ expiresAt }) => expiresAt === null || now < expiresAt),
  }
  const breakdown = breakdownOf(live, now)
  const score = sumOf(breakdown)
  const isVerified = live.attestations.some(({ level }) => isVerifiedLevel(level))
  const reached = TIERS.findIndex((tier) => score >= tier.score && (isVerified || !tier.needsVerified))
  const next = TIERS[reached - 1]
  const summary = {
    score,
    tier: TIERS[reached]?.tier ?? 'Unverified',
    breakdown,
    evidence: evidenceOf(live),
  }
  if (next === undefined) return summary
  const payers = COUNTS_OF_PAYERS.find(
    (count) => sumOf(breakdownOf(withPayers(live, count), now)) >= next.score,
  )
  return {
    ...summary,
    nextTier: {
      tier: next.tier,
      score: next.score,
      missingScore: rounded(Math.max(0, next.score - score)),
      needsVerifiedAttestation: next.needsVerified && !isVerified,
      ...(payers === undefined ? {} : { payers }),
    },
  }
}

/** The numbers of additional payers to try for the next tier. */
const COUNTS_OF_PAYERS = Array.from({ length: 101 }, (_, count) => count)

/** Computes the parts of a score at `now`. All attestations of the facts must be valid. */
export function breakdownOf(facts: Facts, now: Date): Breakdown {
  return {
    reliability: rounded(MAX_PART * reliability({ hirers: facts.hirers, payers: facts.paid.payers })),
    skill: skillOf(facts.attestations.map(({ level }) => level)),
    tenure: rounded(tenureOf(facts.firstLoginAt, now)),
    social: rounded(MAX_PART * (1 - Math.exp(-socialWeight(facts) / SOCIAL_SCALE))),
    infrastructure: rounded(infrastructureOf(facts)),
  }
}

const sumOf = (breakdown: Breakdown): number =>
  rounded(Object.values(breakdown).reduce((sum, part) => sum + part, 0))

/** Adds satisfied payers of weight 1 to the facts. */
function withPayers(facts: Facts, count: number): Facts {
  const { weight, satisfied } = facts.paid.payers
  const payers = { weight: weight + count, satisfied: satisfied + count }
  return { ...facts, paid: { ...facts.paid, payers } }
}

const isVerifiedLevel = (level: VerificationLevel) =>
  level === 'third_party_verified' || level === 'on_chain_proven'

function skillOf(levels: VerificationLevel[]): number {
  const pointsOf = (some: VerificationLevel[]) => some.reduce((sum, level) => sum + POINTS[level], 0)
  const verified = pointsOf(levels.filter(isVerifiedLevel))
  const unverified = pointsOf(levels.filter((level) => !isVerifiedLevel(level)))
  return Math.min(MAX_PART, verified + Math.min(MAX_UNVERIFIED_POINTS, unverified))
}

/**
 * Computes the weight of a wallet's counterparties: FREE_WEIGHT for each, plus the weights of payers and
 * payees. A payer keeps its FREE_WEIGHT, so that no payment lowers a score.
 */
const socialWeight = ({ counterparties, paid }: Facts): number =>
  paidWeightOf(paid) + Math.min(MAX_FREE_WEIGHT, FREE_WEIGHT * counterparties)

const paidWeightOf = ({ payers, payees }: Paid): number => payers.weight + payees

const infrastructureOf = ({ infrastructureLayers, paid }: Facts): number =>
  Math.min(MAX_PART, POINTS_PER_LAYER.declared * infrastructureLayers + POINTS_PER_LAYER.paid * paid.layers)

function evidenceOf(facts: Facts): Evidence {
  const of = (wanted: VerificationLevel) => facts.attestations.filter(({ level }) => level === wanted).length
  return {
    reliability: { hirers: facts.hirers, payers: facts.paid.payers },
    skill: {
      self_attested: of('self_attested'),
      document_submitted: of('document_submitted'),
      third_party_verified: of('third_party_verified'),
      on_chain_proven: of('on_chain_proven'),
    },
    tenure: { since: facts.firstLoginAt },
    social: { counterparties: facts.counterparties, paid: paidWeightOf(facts.paid) },
    infrastructure: { layers: facts.infrastructureLayers, paid: facts.paid.layers },
  }
}

function tenureOf(firstLoginAt: Date | null, now: Date): number {
  if (firstLoginAt === null) return 0
  const days = Math.max(0, now.getTime() - firstLoginAt.getTime()) / DAY_MS
  return MAX_PART * Math.sqrt(Math.min(1, days / DAYS_TO_FULL_TENURE))
}

/** Rounds to two decimals, so that the displayed parts add up to the displayed score. */
const rounded = (value: number): number => Math.round(value * 100) / 100

/** Time after which the queue message of a verification request counts as lost. */
export const VERIFICATION_LOST_AFTER_MS = 60_000

/** The most open expedited requests of a wallet; further ones become normal. */
export const MAX_OPEN_EXPEDITED = 3
