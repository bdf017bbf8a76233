import { PublicKey } from '@solana/web3.js'
import { CRED_DECIMALS, type Cred } from '../../../schema/amounts.ts'
import type { Signer } from '../../keys/signer.ts'
import { type Address, parseAddress } from '../../solana/address.ts'
import type { SeededAccount } from '../../solana/programs/system.ts'
import type { Rents } from '../../solana/rents.ts'
import {
  type ChainAccount,
  decodeMint,
  decodeTokenAccount,
  type TokenAccount,
} from '../../solana/token-state.ts'
import type { Built, Network } from '../../transactions/cosigning/envelope.ts'
import type { Cluster } from './cluster.ts'

/** An owner, and the recovery key that signs instead of the service. */
export type Wanted = { owner: Address; recovery: Signer; mint: Address; keyVersion: number }

/** A token account that a holder owns. `obstacle` says why its signers can't empty it now. */
export type HeldAccount = {
  address: Address
  amount: bigint
  /** Whether it is closed once it is empty, so that its rent returns. */
  isClosable: boolean
  obstacle: string | undefined
}

/** A payout of all that a held account has; `fresh` is a new account if the owner's can't be paid. */
type Payout = {
  held: HeldAccount
  amount: Cred
  fresh: SeededAccount | undefined
  rents: Rents
  network: Network
}

/** The multisig that holds an owner's tokens: its vault, or its refund account of jobs. */
export type Holder = {
  address: Address
  owner: Address
  mint: Address
  /** The name of the multisig, and of one of its token accounts. */
  name: 'vault' | 'refund account'
  noun: 'position' | 'escrow'
  /** Returns whether a token account is closed once it is empty, and why it can't be emptied. */
  stateOf(token: TokenAccount): { isClosable: boolean; obstacle: string | undefined }
  /** Builds the transaction that empties a token account. The recovery key has signed it. */
  build(payout: Payout): Promise<Built>
}

/** The most that getMultipleAccounts takes. */
const MAX_ACCOUNTS_PER_CALL = 100

/**
 * Reads the account at a holder's address.
 * @throws Error if the mint is not a mint of CRED
 */
export async function readHolder(
  { name, rpc }: Cluster,
  { mint, address }: { mint: Address; address: Address },
): Promise<ChainAccount | undefined> {
  const { accounts } = await rpc.accounts([mint, address])
  if (decodeMint(accounts[0])?.decimals === CRED_DECIMALS) return accounts[1]
  throw new Error(`${name} has no classic Token mint with ${CRED_DECIMALS} decimals at ${mint}`)
}

/**
 * Lists a holder's token accounts of the mint, also accounts that others made for it.
 * @param only one account instead of all, for nodes without an index of token accounts
 * @throws Error if the holder does not own `only`
 */
export async function findHeld(
  cluster: Cluster,
  holder: Holder,
  only: Address | undefined,
): Promise<HeldAccount[]> {
  const addresses = only ? [only] : await tokenAccountsOf(cluster, holder)
  const held: HeldAccount[] = []
  for (let start = 0; start < addresses.length; start += MAX_ACCOUNTS_PER_CALL) {
    const some = addresses.slice(start, start + MAX_ACCOUNTS_PER_CALL)
    const { accounts } = await cluster.rpc.accounts(some)
    held.push(...some.flatMap((address, i) => heldAccount(address, accounts[i], holder) ?? []))
  }
  const { address, name, noun } = holder
  if (only && held.length === 0) throw new Error(`the ${name} ${address} holds no ${noun} at ${only}`)
  // Anybody can make an account for the holder that the holder can't close. An empty one does not matter.
  return only ? held : held.filter(({ amount, isClosable }) => amount > 0n || isClosable)
}

/** Reads a token account of a holder; undefined if it has another owner or mint. */
export function heldAccount(
  address: Address,
  account: ChainAccount | undefined,
  holder: Holder,
): HeldAccount | undefined {
  const token = decodeTokenAccount(account)
  if (token?.owner !== holder.address || token.mint !== holder.mint) return undefined
  const { isClosable, obstacle } = holder.stateOf(token)
  const frozen = token.state === 'frozen' ? 'frozen by the mint’s freeze authority' : undefined
  return { address, amount: token.amount, isClosable: isClosable && !frozen, obstacle: frozen ?? obstacle }
}

async function tokenAccountsOf({ call }: Cluster, { address, mint }: Holder): Promise<Address[]> {
  try {
    const { value } = await call('getTokenAccountsByOwner', (connection) =>
      connection.getTokenAccountsByOwner(new PublicKey(address), { mint: new PublicKey(mint) }),
    )
    return value.map(({ pubkey }) => parseAddress(pubkey.toBase58()))
  } catch (cause) {
    throw new Error(
      `the token accounts of ${address} can't be listed: try another node, or name each --position`,
      { cause },
    )
  }
}
