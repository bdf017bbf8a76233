import {
  type Address,
  createKeyPairSignerFromBytes,
  type Instruction,
  type TransactionSigner,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToCheckedInstruction,
} from '@solana-program/token'
import { CRED_DECIMALS } from '../../../schema/amounts.ts'
import { MINT_BYTES } from '../../solana/programs/token.ts'
import type { Ledger } from './ledger.ts'
import { TOKEN_PROGRAM } from './programs.ts'
import { airdrop, sendInstructions } from './sending.ts'
import { readTokenState } from './tokens.ts'

/** A wallet with less than this gets this much more: 100 SOL. */
const LAMPORTS = 100_000_000_000n

/**
 * The accounts to make. `mint` and `mintAuthority` are key pairs of 64 bytes: the seed, then the public key,
 * as in a Solana key file.
 */
interface SeedOptions {
  mint: Uint8Array
  mintAuthority: Uint8Array
  treasuryOwner: Address
  /** Base units (10^-9) minted to the treasury when it is made. */
  treasuryAmount: bigint
  /** Other wallets that get SOL, besides the mint authority and the treasury's owner. */
  funded?: Address[]
}

/**
 * Makes the accounts that the vault needs: a classic Token mint with 9 decimals and no freeze authority; SOL
 * for the mint authority and the treasury's owner; and the treasury, the owner's associated token account.
 * One transaction makes mint and treasury. If the mint exists, it is only checked, and the treasury stays as
 * it is. A wallet with less than 100 SOL gets 100 more, at every start.
 * @throws Error if the mint's address has anything but such a mint
 */
export async function seedChain(
  ledger: Ledger,
  options: SeedOptions,
): Promise<{ mint: Address; treasury: Address }> {
  const mint = await createKeyPairSignerFromBytes(options.mint)
  const authority = await createKeyPairSignerFromBytes(options.mintAuthority)
  const owner = options.treasuryOwner
  const [treasury] = await findAssociatedTokenPda({ owner, mint: mint.address, tokenProgram: TOKEN_PROGRAM })

  for (const wallet of new Set([authority.address, owner, ...(options.funded ?? [])])) {
    if ((ledger.account(wallet)?.lamports ?? 0n) < LAMPORTS) await airdrop(ledger, wallet, LAMPORTS)
  }
  if (ledger.account(mint.address)) {
    assertMint(ledger, mint.address, authority.address)
    return { mint: mint.address, treasury }
  }
  await sendInstructions(ledger, authority, [
    ...createMint({ mint, authority }, ledger.rentExemptMinimum(BigInt(MINT_BYTES))),
    ...mintTo({ mint, authority }, { owner, account: treasury, amount: options.treasuryAmount }),
  ])
  return { mint: mint.address, treasury }
}

function assertMint(ledger: Ledger, mint: Address, authority: Address): void {
  const account = ledger.account(mint)
  const state = account ? readTokenState(account.programAddress, account.data) : null
  const sound =
    account?.programAddress === TOKEN_PROGRAM &&
    state?.type === 'mint' &&
    state.decimals === CRED_DECIMALS &&
    state.mintAuthority === authority &&
    state.freezeAuthority === null
  if (!sound)
    throw new Error(`local chain: ${mint} is not a mint of ${authority} with ${CRED_DECIMALS} decimals`)
}

type MintKeys = { mint: TransactionSigner; authority: TransactionSigner }

/**
 * Returns the instructions that create a classic Token mint for CRED, paid by its authority and without a
 * freeze authority.
 */
export const createMint = ({ mint, authority }: MintKeys, rent: bigint): Instruction[] => [
  getCreateAccountInstruction({
    payer: authority,
    newAccount: mint,
    lamports: rent,
    space: BigInt(MINT_BYTES),
    programAddress: TOKEN_PROGRAM,
  }),
  getInitializeMint2Instruction({
    mint: mint.address,
    decimals: CRED_DECIMALS,
    mintAuthority: authority.address,
    freezeAuthority: null,
  }),
]

/**
 * Returns the instructions that mint base units of CRED to the owner's associated token account. They make
 * the account if it is missing.
 */
export const mintTo = (
  { mint, authority }: MintKeys,
  { owner, account, amount }: { owner: Address; account: Address; amount: bigint },
): Instruction[] => [
  getCreateAssociatedTokenIdempotentInstruction({
    payer: authority,
    ata: account,
    owner,
    mint: mint.address,
  }),
  getMintToCheckedInstruction({
    mint: mint.address,
    token: account,
    mintAuthority: authority,
    amount,
    decimals: CRED_DECIMALS,
  }),
]
