import { memoized } from '../../runtime/cache.ts'
import { type Address, addressBytes, findProgramAddress } from '../address.ts'
import { type Instruction, payer, readonly, writable } from '../instruction.ts'
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.ts'

/**
 * From spl-associated-token-account-interface (`AssociatedTokenAccountInstruction`, in Borsh: an 8-bit
 * index).
 */
const CREATE_IDEMPOTENT = 1

/** About 150 KB. */
const MAX_CACHED = 1_000

/**
 * Derives the token account in which wallets keep `owner`'s tokens of this mint
 * (`get_associated_token_address`). Cached per isolate, since a request needs its owner's and the treasury's
 * several times.
 */
export const associatedTokenAddress = (owner: Address, mint: Address): Promise<Address> =>
  cached(`${owner} ${mint}`)

const cached = memoized(MAX_CACHED, (ownerAndMint) => {
  const [owner, mint] = ownerAndMint.split(' ') as [Address, Address]
  return findProgramAddress(
    [addressBytes(owner), addressBytes(TOKEN_PROGRAM), addressBytes(mint)],
    ASSOCIATED_TOKEN_PROGRAM,
  )
})

/**
 * Creates `owner`'s associated token account at `owner`'s cost; does nothing if it exists. Fails if the
 * account was transferred to someone else (SetAuthority), so that nothing is paid to a stranger.
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
