import { type Cred, cred, sumOf } from '../../../schema/amounts.ts'
import type { Address } from '../../../schema/wallet.ts'
import { protocolFee } from '../../reputation/counterparties/rules.ts'
import { type BudgetState, collectibleOf } from '../chain/budget-account.ts'
import { MAX_LEGS } from '../chain/collection.ts'
import type { DueAccount, DueCharge } from './due-queries.ts'

/* Chooses the charges that one collection pays, from due charges and account balances. Pure. */

/** Charges per collection. The statement that settles it updates a row and publishes an event for each. */
export const MAX_CHARGES = 100

/** The payment from one budget account in a collection. */
export type CollectedLeg = {
  hireId: string
  address: Address
  amount: Cred
  fee: Cred
  charges: DueCharge[]
}

/** A collection's accounts, all of one key version, since a transaction has one cosigner. */
export type Plan = { keyVersion: number; legs: CollectedLeg[] }

type Candidate = DueAccount & { state: BudgetState }

/**
 * Chooses the charges of one collection. Takes the oldest charges of each account that its balance and
 * allowance pay in full, and as many accounts as fit. An account of a collection that failed on the chain is
 * collected alone, after all others.
 * @returns undefined when no account can pay anything
 */
export function planOf(
  due: Candidate[],
  { ownerTokens, feeBps }: { ownerTokens: keyof typeof MAX_LEGS; feeBps: number },
): Plan | undefined {
  const able = due.flatMap((account) => legOf(account, feeBps) ?? [])
  const valid = able.filter(({ isAlone }) => !isAlone)
  const chosen = valid.length > 0 ? valid : able.slice(0, 1)
  const [first] = chosen
  if (!first) return undefined
  const legs: CollectedLeg[] = []
  let left = MAX_CHARGES
  for (const { keyVersion, leg } of chosen) {
    if (keyVersion !== first.keyVersion || legs.length === MAX_LEGS[ownerTokens]) continue
    if (leg.charges.length > left) continue
    legs.push(leg)
    left -= leg.charges.length
  }
  return { keyVersion: first.keyVersion, legs }
}

type Leg = { keyVersion: number; isAlone: boolean; leg: CollectedLeg }

function legOf({ state, charges, failedAt, hireId, address }: Candidate, feeBps: number): Leg | undefined {
  if (state.kind !== 'open' || state.keyVersion === undefined) return undefined
  const paid = paidBy(charges.slice(0, MAX_CHARGES), collectibleOf(state))
  if (paid.length === 0) return undefined
  const amount = sumOf(paid.map(({ amount }) => cred(amount)))
  const leg = { hireId, address, amount, fee: protocolFee(amount, feeBps), charges: paid }
  return { keyVersion: state.keyVersion, isAlone: failedAt !== null, leg }
}

/**
 * Returns the charges that fit, in order. Skips a charge that is too large, so that smaller ones are paid.
 */
function paidBy(charges: DueCharge[], collectible: Cred): DueCharge[] {
  let left: bigint = collectible
  return charges.filter(({ amount }) => {
    if (amount > left) return false
    left -= amount
    return true
  })
}
