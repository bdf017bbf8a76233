import { type Address, addressBytes, findProgramAddress } from './address.ts'
import { type Instruction, payer, readonly, writable } from './instruction.ts'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/**
 * From spl-associated-token-account-interface (`AssociatedTokenAccountInstruction`, in Borsh: an 8-bit
 * index).
 */
const CREATE_IDEMPOTENT = 1

/**
 * Derives the token account where wallets keep `owner`'s tokens of this mint
 * (`get_associated_token_address`).
 */
export const associatedTokenAddress = (owner: Address, mint: Address): Promise<Address> =>
  findProgramAddress(
    [addressBytes(owner), addressBytes(TOKEN_PROGRAM), addressBytes(mint)],
    ASSOCIATED_TOKEN_PROGRAM,
  )

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
