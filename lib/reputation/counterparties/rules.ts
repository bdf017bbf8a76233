import { type Cred, cred } from '../../../schema/amounts.ts'

const ALL_OF_IT_BPS = 10_000n

/**
 * Computes the protocol fee of a payment from one budget account, in lamports, rounded up. The Postgres
 * function protocol_fee computes the same.
 */
export const protocolFee = (amount: bigint, feeBps: number): Cred =>
  cred((amount * BigInt(feeBps) + ALL_OF_IT_BPS - 1n) / ALL_OF_IT_BPS)

/**
 * Computes the fee by which a settled payment for a request in CRED weighs: the smaller of its debit of the
 * owner's credit and the protocol fee's share of its amount, rounded down. With debits alone, tiny payments
 * would count at the owner's cost; with shares alone, a large payment to oneself would cost almost nothing.
 */
export function requestFee({ amount, debit }: { amount: bigint; debit: bigint }, feeBps: number): Cred {
  const share = (amount * BigInt(feeBps)) / ALL_OF_IT_BPS
  return cred(debit < share ? debit : share)
}

/**
 * Computes the least amount whose {@link protocolFee} is at least `fee`.
 * @param feeBps more than 0
 */
export const collectedFor = (fee: bigint, feeBps: number): Cred =>
  cred(fee === 0n ? 0n : ((fee - 1n) * ALL_OF_IT_BPS) / BigInt(feeBps) + 1n)

/** The shares of reliability: from paying hirers, and from facts that cost nothing. */
export const SHARES = { paid: 0.8, free: 0.2 } as const

/** The number of hirers that gives half of the free share. */
export const HALF_OF_FREE_HIRERS = 4

/** Weights are stored in whole billionths, so that their sums are exact. */
export const WEIGHT_UNIT = 1_000_000_000

/** Converts stored billionths to a weight for the formulas. */
export const weightOf = (billionths: bigint): number => Number(billionths) / WEIGHT_UNIT

/** A payer whose latest rating is this or lower is dissatisfied. */
export const MAX_DISSATISFIED = 2

/** The hirers of an agent, or of all agents of a wallet. */
export type Hirers = {
  /** Distinct other wallets whose hire ran its first term. */
  hirers: number
  /** The sums of weights (each up to 1) of all payers and of satisfied payers. */
  payers: { weight: number; satisfied: number }
}

/** The weights without any payer. */
export const NO_PAYERS: Hirers['payers'] = { weight: 0, satisfied: 0 }

/**
 * Computes the reliability of an agent or a wallet, from 0 to 1. Only payers can lower it, and facts that
 * cost nothing give less than the free share.
 */
export const reliability = ({ hirers, payers }: Hirers): number =>
  SHARES.paid * wilsonLowerBound(payers.satisfied, payers.weight) +
  SHARES.free * (hirers / (hirers + HALF_OF_FREE_HIRERS))

/** The quantile of the normal distribution for a two-sided confidence of 95 %. */
export const WILSON_Z = 1.96

/**
 * Computes the lower bound (0 to 1) of the Wilson score interval for the share of `satisfied` in `all`, with
 * 97.5 % confidence. It is low for little weight, and 0 for none.
 *
 * The product of the roots of the usual formula, k²(n + z²)/n, is divided by the larger root. This avoids
 * cancellation: the result is exactly 0 if `satisfied` is 0.
 * @param satisfied from 0 to `all`; both are sums of weights, so not necessarily whole numbers
 */
export function wilsonLowerBound(satisfied: number, all: number): number {
  if (all === 0) return 0
  const zz = WILSON_Z * WILSON_Z
  const spread = WILSON_Z * Math.sqrt(zz / 4 + (satisfied * (all - satisfied)) / all)
  return (satisfied * satisfied) / (all * (satisfied + zz / 2 + spread))
}
