import type { Keypair, PublicKey } from '@solana/web3.js'
import { type Address, addressOf, parseAddress } from '../../lib/solana/address.ts'
import type { Instruction } from '../../lib/solana/instruction.ts'
import { compileMessage } from '../../lib/solana/message.ts'
import { setComputeUnitLimit, setComputeUnitPrice } from '../../lib/solana/programs/compute-budget.ts'
import { memo } from '../../lib/solana/programs/memo.ts'
import { TOKEN_PROGRAM } from '../../lib/solana/programs/programs.ts'
import {
  allocateWithSeed,
  assignWithSeed,
  createAccountWithSeed,
  transfer,
} from '../../lib/solana/programs/system.ts'
import { initializeAccount3, initializeMultisig2, transferChecked } from '../../lib/solana/programs/token.ts'
import { encodeTransaction } from '../../lib/solana/transaction.ts'

/* Transactions as the vault builds them wallet first: the same instructions, every signature empty. */

type Parties = { owner: Pick<Keypair, 'publicKey'>; authority: PublicKey }

/** Accounts of the transactions: owner's tokens, treasury, vault, position, mint. */
const accountOf = (byte: number): Address => addressOf(new Uint8Array(32).fill(byte))
export const [source, treasury, vault, position, mint] = [11, 12, 13, 14, 15].map(accountOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
]
/** The parties that the check receives. */
export const checkParties = { own: [mint, vault], others: [treasury] }
const blockhash = accountOf(6)

/** A later stack: the position is made and filled by the owner and the treasury. */
export function stackFor(parties: Parties): string {
  const { owner, authority } = addressesOf(parties)
  const account = { address: position, base: owner, seed: 'a'.repeat(32), program: TOKEN_PROGRAM }
  return framed(parties, [
    createAccountWithSeed(account, 2_039_280n, 165n),
    initializeAccount3(position, mint, vault),
    transferChecked({ source, mint, destination: position, amount: 1_500n, decimals: 9 }, { owner }),
    transferChecked(
      { source: treasury, mint, destination: position, amount: 12n, decimals: 9 },
      { owner: authority },
    ),
    memo('agentcred stack', authority),
  ])
}

/** A claim: the position pays its owner, which its vault and so the authority must approve. */
export function claimFor(parties: Parties, text = 'agentcred claim'): string {
  const { owner, authority } = addressesOf(parties)
  const approval = { owner: vault, signers: [owner, authority] }
  return framed(parties, [
    transferChecked({ source: position, mint, destination: source, amount: 80n, decimals: 9 }, approval),
    memo(text, authority),
  ])
}

/** The opening of a vault, which its owner signs alone. */
export function vaultOpeningFor(parties: Parties): string {
  const { owner, authority } = addressesOf(parties)
  const account = { address: vault, base: owner, seed: 'agentcred-vault:1', program: TOKEN_PROGRAM }
  return framed(parties, [
    transfer(owner, vault, 3_361_680n),
    allocateWithSeed(account, 355n),
    assignWithSeed(account),
    initializeMultisig2(vault, 3, [owner, owner, authority, accountOf(16)]),
  ])
}

/** Any instructions behind the service's compute budget, compiled for the owner, unsigned. */
export function framed(
  { owner }: Pick<Parties, 'owner'>,
  instructions: Instruction[],
  recentBlockhash: string = blockhash,
): string {
  const { bytes, signers } = compileMessage(
    parseAddress(owner.publicKey.toBase58()),
    [setComputeUnitLimit(200_000), setComputeUnitPrice(1_000n), ...instructions],
    recentBlockhash,
  )
  return encodeTransaction({ signatures: signers.map(() => new Uint8Array(64)), message: bytes })
}

export const addressesOf = ({ owner, authority }: Parties): { owner: Address; authority: Address } => ({
  owner: parseAddress(owner.publicKey.toBase58()),
  authority: parseAddress(authority.toBase58()),
})
