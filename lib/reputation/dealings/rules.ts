import { type Cred, cred } from '../../../schema/amounts.ts'

const ALL_OF_IT_BPS = 10_000n

/**
 * Computes the protocol fee of what one budget account pays, in lamports, rounded up. The function
 * protocol_fee of Postgres computes the same.
 */
export const protocolFee = (amount: bigint, feeBps: number): Cred =>
  cred((amount * BigInt(feeBps) + ALL_OF_IT_BPS - 1n) / ALL_OF_IT_BPS)

/**
 * Computes what a payment for a request in CRED weighs by once it has settled: its debit of the owner's
 * credit, and no more than the protocol fee's share of its amount, rounded down. By the debit alone payments
 * of one lamport would count at the owner's cost, by the share alone large ones for next to nothing.
 */
export function requestFee({ amount, debit }: { amount: bigint; debit: bigint }, feeBps: number): Cred {
  const share = (amount * BigInt(feeBps)) / ALL_OF_IT_BPS
  return cred(debit < share ? debit : share)
}

/**
 * Computes what must be collected at least for this much protocol fee: the least amount of which
 * {@link protocolFee} is no less.
 * @param feeBps more than 0
 */
export const collectedFor = (fee: bigint, feeBps: number): Cred =>
  cred(fee === 0n ? 0n : ((fee - 1n) * ALL_OF_IT_BPS) / BigInt(feeBps) + 1n)

/** What reliability is made of: what paying hirers prove, and what anybody can do, as wallets are free. */
export const SHARES = { paid: 0.8, free: 0.2 } as const

/** So many hirers give half of the free share. */
export const HALF_OF_FREE_HIRERS = 4

/** An agent's score goes from 0 to this. */
const MAX_SCORE = 100

/** A payer's weight is stored as a whole number of billionths, so that sums of weights stay exact. */
export const WEIGHT_UNIT = 1_000_000_000

/** A sum of weights as the formulas have it. */
export const weightOf = (billionths: bigint): number => Number(billionths) / WEIGHT_UNIT

/** A payer whose latest rating is this or lower is dissatisfied. */
export const MOST_DISSATISFIED = 2

/** The hirers of an agent, or of all agents of a wallet. */
export type Hirers = {
  /** Distinct other wallets whose hire ran its first term. */
  hirers: number
  /** The weights (each up to 1) of the payers: of all, and of the satisfied ones. */
  payers: { weight: number; satisfied: number }
}

/** While nobody pays, only free facts count, capped. */
export const NO_PAYERS: Hirers['payers'] = { weight: 0, satisfied: 0 }

/**
 * Computes how reliable an agent or a wallet is, from 0 to 1. Nothing in it falls by what somebody does who
 * has not paid, and what costs nothing gives less than the free share.
 */
export const reliability = ({ hirers, payers }: Hirers): number =>
  SHARES.paid * wilsonLowerBound(payers.satisfied, payers.weight) +
  SHARES.free * (hirers / (hirers + HALF_OF_FREE_HIRERS))

/** Computes an agent's reputationScore, from 0 to 100, as the function agent_score of Postgres does. */
export const agentScore = (of: Hirers): number => Math.round(MAX_SCORE * reliability(of) * 100) / 100

/** The quantile of the normal distribution for a two-sided confidence of 95 %. */
export const WILSON_Z = 1.96

/**
 * Computes the lower bound (0 to 1) of the Wilson score interval for a share of `satisfied` in `all`: how
 * large the share is at least, with 97.5 % confidence. Little weight proves little; 0 when there is none.
 *
 * Written as the quotient of the usual formula's product of roots, k²(n + z²)/n, by its larger root, so that
 * nothing cancels: it is exactly 0 for none satisfied.
 * @param satisfied from 0 to `all`; both are sums of weights, so any number
 */
export function wilsonLowerBound(satisfied: number, all: number): number {
  if (all === 0) return 0
  const zz = WILSON_Z * WILSON_Z
  const spread = WILSON_Z * Math.sqrt(zz / 4 + (satisfied * (all - satisfied)) / all)
  return (satisfied * satisfied) / (all * (satisfied + zz / 2 + spread))
}
