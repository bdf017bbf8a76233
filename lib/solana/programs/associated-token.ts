import { keptOf } from '../../kept.ts'
import { type Address, addressBytes, findProgramAddress } from '../address.ts'
import { type Instruction, payer, readonly, writable } from '../instruction.ts'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/**
 * From spl-associated-token-account-interface (`AssociatedTokenAccountInstruction`, in Borsh: an 8-bit
 * index).
 */
const CREATE_IDEMPOTENT = 1

/** About 150 KB. */
const MAX_KEPT = 1_000

/**
 * Derives the token account where wallets keep `owner`'s tokens of this mint
 * (`get_associated_token_address`). Kept in the isolate: a request asks for its owner's and the treasury's
 * several times.
 */
export const associatedTokenAddress = (owner: Address, mint: Address): Promise<Address> =>
  kept(`${owner} ${mint}`)

const kept = keptOf(MAX_KEPT, (ownerAndMint) => {
  const [owner, mint] = ownerAndMint.split(' ') as [Address, Address]
  return findProgramAddress(
    [addressBytes(owner), addressBytes(TOKEN_PROGRAM), addressBytes(mint)],
    ASSOCIATED_TOKEN_PROGRAM,
  )
})

/**
 * Creates `owner`'s associated token account at `owner`'s own cost; does nothing when it exists already.
 * Fails when the account was handed to someone else (SetAuthority), so that nothing is paid to a stranger.
 */
export const createAssociatedIdempotent = (
  associated: Address,
  owner: Address,
  mint: Address,
): Instruction => ({
  program: ASSOCIATED_TOKEN_PROGRAM,
  accounts: [
    payer(owner),
    writable(associated),
    readonly(owner),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(TOKEN_PROGRAM),
  ],
  data: new Uint8Array([CREATE_IDEMPOTENT]),
})
