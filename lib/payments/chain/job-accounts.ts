import { type Cred, cred } from '../../../schema/amounts.ts'
import type { Address } from '../../solana/address.ts'
import { isVacant, randomSeed, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { type ChainAccount, decodeTokenAccount, isMultisigOf } from '../../solana/token-state.ts'
import type { PaymentKeys } from './collector.ts'

/** The payments authority of one key version, and the offline key that can take its place in jobs. */
export type JobKeys = PaymentKeys & { recovery: Address }

/** A hirer, and the keys that its refund account needs beside it. */
export type Refund = { hirer: Address; keys: JobKeys }

/** The hirer counts twice, so that it needs one more signer, and the others are never enough. */
export const REFUND_SIGNERS = 3
export const refundSigners = ({ hirer, keys }: Refund): Address[] => [
  hirer,
  hirer,
  keys.authority,
  keys.recovery,
]

/** Derives the refund account of a hirer: the multisig that owns the escrows of its jobs. */
export const refundAccount = (hirer: Address, keyVersion: number): Promise<SeededAccount> =>
  seededTokenAccount(hirer, `agentcred-refund:${keyVersion}`)

/**
 * Returns the state of the account at a refund account's address. `foreign`: another account that the hirer
 * created there. The token program never changes a multisig.
 */
export function refundState(
  account: ChainAccount | undefined,
  refund: Refund,
): 'absent' | 'open' | 'foreign' {
  if (isVacant(account)) return 'absent'
  return isMultisigOf(account, REFUND_SIGNERS, refundSigners(refund)) ? 'open' : 'foreign'
}

/** Makes the escrow of a funding: a new address, which nobody can take first. */
export const newEscrow = (hirer: Address): Promise<SeededAccount> => seededTokenAccount(hirer, randomSeed())

/** An escrow on the chain; `allowance` is 0 unless its delegate is the expected payout account. */
type EscrowState =
  | { kind: 'open'; balance: Cred; allowance: Cred; isFrozen: boolean }
  | { kind: 'absent' }
  | { kind: 'foreign' }

/**
 * Returns the state of a job's escrow: a token account whose owner is the hirer's refund account.
 * @param expected.refund the refund account's address
 * @param expected.collector the payout account of the agent's owner
 */
export function escrowState(
  account: ChainAccount | undefined,
  expected: { mint: Address; refund: Address; collector: Address },
): EscrowState {
  if (isVacant(account)) return { kind: 'absent' }
  const token = decodeTokenAccount(account)
  if (token?.mint !== expected.mint || token.owner !== expected.refund) return { kind: 'foreign' }
  return {
    kind: 'open',
    balance: cred(token.amount),
    allowance: cred(token.delegate === expected.collector ? token.delegatedAmount : 0n),
    isFrozen: token.state === 'frozen',
  }
}
