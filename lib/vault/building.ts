import { cred, type Lamports, lamports } from '../../schema/amounts.ts'
import { randomHex } from '../crypto/random.ts'
import { Refusal } from '../refusal.ts'
import { type Address, parseAddress } from '../solana/address.ts'
import { associatedTokenAddress } from '../solana/associated-token.ts'
import type { Blockhash } from '../solana/rpc.ts'
import { MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from '../solana/token.ts'
import { type ChainAccount, decodeMint, decodeTokenAccount } from '../solana/token-state.ts'
import { type Escrow, isServiceWallet, vaultAccount } from './addresses.ts'
import { isVaultOf, soundPosition } from './chain-state.ts'
import type { VaultDeps } from './deps.ts'
import type { PayoutAccount } from './escrow/payout-account.ts'
import type { Rents } from './escrow/stack.ts'
import type { Generation, Keyring } from './keyring.ts'
import { TRANSACTION_LIFETIME_MS } from './limits.ts'
import { closePositions, type IntentRow, type PositionRow } from './queries.ts'
import { CRED_DECIMALS, formatAmount } from './rules.ts'

/** A transaction that waits for its owner's signature, as the caller gets it. */
export type BuiltTransaction = {
  id: string
  transaction: string
  message: string
  lastValidBlockHeight: bigint
  expiresAt: Date
}

const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address
/** What an account weighs beside its data, for rent. */
const ACCOUNT_OVERHEAD_BYTES = 128

/** A random seed for a new account: 128 bits, so that nobody can take its address first. */
export const randomSeed = (): string => randomHex(16)

/**
 * What building needs of the chain, in one parallel wave of two calls: a blockhash, and these accounts together with
 * the rents.
 * @param minSlot what the node must have reached
 * @throws Refusal dependency_unavailable
 */
export async function lookUp<Name extends string>(
  { rpc }: Pick<VaultDeps, 'rpc'>,
  addresses: Record<Name, Address>,
  minSlot?: bigint,
): Promise<{
  slot: bigint
  blockhash: Blockhash
  accounts: Record<Name, ChainAccount | undefined>
  rents: Rents
}> {
  const names = Object.keys(addresses) as Name[]
  const [blockhash, seen] = await Promise.all([
    rpc.latestBlockhash(),
    rpc.accounts([...names.map((name) => addresses[name]), RENT_SYSVAR], minSlot),
  ])
  const accounts = Object.fromEntries(names.map((name, i) => [name, seen.accounts[i]]))
  return {
    slot: seen.slot,
    blockhash,
    accounts: accounts as Record<Name, ChainAccount | undefined>,
    rents: rentsOf(seen.accounts.at(-1)),
  }
}

/**
 * The same for transactions that pay out of positions: the owner's token account, and of each position its token
 * account if it is sound (undefined if not). Positions that turn out to be gone, by the recovery key, are recorded so.
 * @throws Refusal dependency_unavailable
 */
export async function positionAccounts(deps: VaultDeps, escrow: Escrow, rows: PositionRow[]) {
  const { address: vault } = await vaultAccount(escrow)
  const addresses = {
    vault,
    purse: await associatedTokenAddress(escrow.owner, escrow.mint),
    ...Object.fromEntries(rows.map(({ address }) => [address, parseAddress(address)])),
  }
  // No node that has not seen what is recorded: it would show payouts undone and new positions absent.
  const lastSeen = rows.reduce((last, { seenSlot }) => (seenSlot > last ? seenSlot : last), 0n)
  const { slot, blockhash, accounts, rents } = await lookUp(deps, addresses, lastSeen)
  const found: Record<string, ChainAccount | undefined> = accounts
  const positions = new Map(
    rows.map(({ address }) => [address, soundPosition(found[address], { vault, mint: escrow.mint })]),
  )
  // A vault can't be closed: where it stands, this is the right chain, and what is absent beside it is gone.
  const gone = isVaultOf(accounts.vault, escrow.owner)
    ? rows.filter((row) => !isHeld(row, found[row.address], vault)).map(({ address }) => address)
    : []
  if (gone.length > 0) await closePositions(deps.db, escrow.owner, gone, deps.now)
  return { slot, blockhash, purse: accounts.purse, positions, rents }
}

/** Whether the vault still holds a position's principal. */
function isHeld({ principal }: PositionRow, account: ChainAccount | undefined, vault: Address): boolean {
  const token = decodeTokenAccount(account)
  return token?.owner === vault && token.amount >= principal
}

/** What a payout costs, in words. SOL has as many decimals as CRED. */
export const costsOf = (fee: Lamports, payoutRent: Lamports): string =>
  [
    `${formatAmount(cred(fee))} SOL network fee`,
    ...(payoutRent > 0n
      ? [`${formatAmount(cred(payoutRent))} SOL rent of a new token account of yours`]
      : []),
  ].join(' and ')

/** What the owner pays beside the network fee when a payout has to open a token account first. */
export const payoutRentOf = (
  purse: ChainAccount | undefined,
  payout: PayoutAccount,
  rents: Rents,
): Lamports => (purse !== undefined && payout.kind === 'associated' ? lamports(0n) : rents.tokenAccount)

/**
 * The keys of the generation that holds a position.
 * @throws Error when the deployment no longer has them
 */
export function signerOf({ generations }: Keyring, generation: number): Generation {
  const keys = generations.find((candidate) => candidate.generation === generation)
  if (keys) return keys
  throw new Error(`the authority key of generation ${generation} is not configured`)
}

/** A recorded intent as the caller gets it. */
export const builtOf = (
  intent: Pick<IntentRow, 'id' | 'transaction' | 'message' | 'lastValidBlockHeight' | 'createdAt'>,
): BuiltTransaction => ({
  id: intent.id,
  transaction: intent.transaction,
  message: intent.message,
  lastValidBlockHeight: intent.lastValidBlockHeight,
  expiresAt: new Date(intent.createdAt.getTime() + TRANSACTION_LIFETIME_MS),
})

/** Rents as the chain sets them now (`Rent` sysvar: lamports per byte and year, years until an account is exempt). */
function rentsOf(sysvar: ChainAccount | undefined): Rents {
  const rent = sysvar && sysvar.data.length >= 16 ? rentOf(sysvar.data) : undefined
  if (!rent) {
    throw new Refusal('dependency_unavailable', 'The Solana network did not answer; please try again.', {
      retryAfterSeconds: 2,
      cause: new Error('the Rent sysvar can not be read'),
    })
  }
  return { multisig: rent(MULTISIG_BYTES), tokenAccount: rent(TOKEN_ACCOUNT_BYTES) }
}

/** No account that the service makes costs a whole SOL; a figure that says so is no rent. */
const MAX_SANE_RENT = 1_000_000_000

function rentOf(data: Uint8Array): ((bytes: number) => Lamports) | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const perByte = Number(view.getBigUint64(0, true)) * view.getFloat64(8, true)
  const isSane = perByte >= 0 && (ACCOUNT_OVERHEAD_BYTES + MULTISIG_BYTES) * perByte < MAX_SANE_RENT
  return isSane
    ? (bytes) => lamports(BigInt(Math.floor((ACCOUNT_OVERHEAD_BYTES + bytes) * perByte)))
    : undefined
}

/**
 * @throws Refusal mint_not_supported unless the mint is the classic Token program's with 9 decimals
 */
export function requireMint(mint: Address, account: ChainAccount | undefined): void {
  if (decodeMint(account)?.decimals === CRED_DECIMALS) return
  throw new Refusal(
    'mint_not_supported',
    `The mint ${mint} is not one of the classic Token program with ${CRED_DECIMALS} decimals.`,
    { retryAfterSeconds: 60 },
  )
}

/**
 * @throws Refusal wallet_not_eligible for the authority, the treasury's account or the recovery key
 */
export async function requireEligible(owner: Address, { mint, current }: Keyring): Promise<void> {
  const treasury = await associatedTokenAddress(current.authority, mint)
  if (!isServiceWallet(owner, current, treasury)) return
  throw new Refusal('wallet_not_eligible', 'The service’s own wallets can not stake.')
}
