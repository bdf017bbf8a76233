import { PublicKey } from '@solana/web3.js'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import { type Address, parseAddress } from '../../solana/address.ts'
import {
  type ChainAccount,
  decodeMint,
  decodeMultisig,
  decodeTokenAccount,
} from '../../solana/token-state.ts'
import { type Escrow, vaultAccount } from '../../vault/addresses.ts'
import { vaultState } from '../../vault/chain-state.ts'
import type { Cluster } from './cluster.ts'

/**
 * A token account that the vault owns. `obstacle` says why the vault's signers cannot empty and close it now.
 */
export type HeldAccount = { address: Address; amount: bigint; obstacle: string | undefined }

/** The most that getMultipleAccounts takes. */
const MAX_ACCOUNTS_PER_CALL = 100

/**
 * Reads the owner's vault of one key version from the chain. Its multisig names the vault's authority.
 * @throws Error if the vault does not exist, or the recovery key is not one of its signers
 */
export async function findVault(
  { name, rpc }: Cluster,
  wanted: { owner: Address; recovery: Address; mint: Address; keyVersion: number },
): Promise<{ escrow: Escrow; vault: Address }> {
  const { owner, recovery, mint, keyVersion } = wanted
  const { address: vault } = await vaultAccount({ owner, keys: { keyVersion } })
  const { accounts } = await rpc.accounts([mint, vault])
  if (decodeMint(accounts[0])?.decimals !== CRED_DECIMALS) {
    throw new Error(`${name} has no classic Token mint with ${CRED_DECIMALS} decimals at ${mint}`)
  }
  const multisig = decodeMultisig(accounts[1])
  // vaultSigners lists the owner twice, then the authority and the recovery key.
  const [, , authority, vaultRecovery] = multisig?.signers ?? []
  if (!authority || !vaultRecovery) {
    throw new Error(`${owner} has no vault of key version ${keyVersion} at ${vault}`)
  }
  const escrow = (recoveryKey: Address): Escrow => ({
    owner,
    mint,
    keys: { keyVersion, authority, recovery: recoveryKey },
  })
  if (vaultState(accounts[1], escrow(vaultRecovery)).kind !== 'open') {
    throw new Error(`the account at ${vault} is not a vault of this service: it has other signers`)
  }
  if (vaultRecovery !== recovery) {
    throw new Error(
      `${recovery} is not the recovery key of the vault ${vault}, which is ${vaultRecovery}. Nothing was moved`,
    )
  }
  return { escrow: escrow(recovery), vault }
}

/**
 * Lists the vault's token accounts of the mint: positions, and accounts that others made for it.
 * @param only one account instead of all, for nodes without an index of token accounts
 * @throws Error if the vault does not own `only`
 */
export async function findPositions(
  cluster: Cluster,
  { mint, vault, only }: { mint: Address; vault: Address; only: Address | undefined },
): Promise<HeldAccount[]> {
  const addresses = only ? [only] : await tokenAccountsOf(cluster, vault, mint)
  const held: HeldAccount[] = []
  for (let start = 0; start < addresses.length; start += MAX_ACCOUNTS_PER_CALL) {
    const some = addresses.slice(start, start + MAX_ACCOUNTS_PER_CALL)
    const { accounts } = await cluster.rpc.accounts(some)
    held.push(...some.flatMap((address, i) => heldAccount(address, accounts[i], { mint, vault }) ?? []))
  }
  if (only && held.length === 0) throw new Error(`the vault ${vault} holds no position at ${only}`)
  // Anybody can make an account for the vault that the vault can't close. An empty one does not matter.
  return only ? held : held.filter(({ amount, obstacle }) => amount > 0n || !obstacle)
}

/** Reads a token account of the vault; undefined if it has another owner or mint. */
export function heldAccount(
  address: Address,
  account: ChainAccount | undefined,
  expected: { mint: Address; vault: Address },
): HeldAccount | undefined {
  const token = decodeTokenAccount(account)
  if (token?.owner !== expected.vault || token.mint !== expected.mint) return undefined
  const obstacle =
    token.state === 'frozen'
      ? 'frozen by the mint’s freeze authority'
      : token.closeAuthority && `only ${token.closeAuthority} can close it`
  return { address, amount: token.amount, obstacle }
}

async function tokenAccountsOf({ call }: Cluster, owner: Address, mint: Address): Promise<Address[]> {
  try {
    const { value } = await call('getTokenAccountsByOwner', (connection) =>
      connection.getTokenAccountsByOwner(new PublicKey(owner), { mint: new PublicKey(mint) }),
    )
    return value.map(({ pubkey }) => parseAddress(pubkey.toBase58()))
  } catch (cause) {
    throw new Error(
      `the token accounts of ${owner} can't be listed: try another node, or name each --position`,
      {
        cause,
      },
    )
  }
}
