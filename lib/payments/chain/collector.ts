import type { Address } from '../../solana/address.ts'
import { createInSteps, isVacant, seededTokenAccount } from '../../solana/programs/seeded-account.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import { initializeMultisig2, MULTISIG_BYTES } from '../../solana/programs/token.ts'
import type { Rents } from '../../solana/rents.ts'
import { type ChainAccount, isMultisigOf } from '../../solana/token-state.ts'
import { type Built, forOwnerAlone, type Network } from '../../transactions/cosigning/envelope.ts'

/** The payments authority of one key version. */
export type PaymentKeys = { keyVersion: number; authority: Address }

/** An agents' owner, and the authority that signs its collections. */
export type Collector = { owner: Address; keys: PaymentKeys }

/** Both must sign, so neither can take a lamport alone. */
const REQUIRED_SIGNERS = 2

const signersOf = ({ owner, keys }: Collector): Address[] => [owner, keys.authority]

/**
 * Derives the payout account of an agents' owner (`collector` on the wire): the multisig that budget
 * accounts approve as their delegate. Only the owner can create an account there, also another multisig
 * (see {@link collectorState}).
 */
export const collectorAccount = (owner: Address, keyVersion: number): Promise<SeededAccount> =>
  seededTokenAccount(owner, `agentcred-collector:${keyVersion}`)

/**
 * The account at a payout account's address. `absent`: no account, but perhaps lamports. `foreign`: another
 * account that the owner created there; nobody may approve it. The token program never changes a multisig.
 */
export type CollectorState = 'absent' | 'open' | 'foreign'

/** Returns the state of the account at a payout account's address. */
export function collectorState(account: ChainAccount | undefined, collector: Collector): CollectorState {
  if (isVacant(account)) return 'absent'
  return isMultisigOf(account, REQUIRED_SIGNERS, signersOf(collector)) ? 'open' : 'foreign'
}

/**
 * Builds the transaction that creates a payout account. Its owner signs it alone.
 * @param intent.id the intent's id, for the memo
 * @param intent.held the lamports at its address already
 */
export async function buildCollector(
  collector: Collector,
  { id, rents, held, network }: { id: string; rents: Rents; held: bigint; network: Network },
): Promise<Built> {
  const { owner, keys } = collector
  const account = await collectorAccount(owner, keys.keyVersion)
  const text = `AgentCred collector ${id}: opened under generation ${keys.keyVersion}`
  return forOwnerAlone({ owner, network, text }, [
    ...createInSteps(account, { bytes: MULTISIG_BYTES, rent: rents.multisig, held }),
    initializeMultisig2(account.address, REQUIRED_SIGNERS, signersOf(collector)),
  ])
}
