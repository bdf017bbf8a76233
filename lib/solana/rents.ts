import { type Lamports, lamports } from '../../schema/amounts.ts'
import { ApiError } from '../api-error.ts'
import type { Address } from './address.ts'
import { MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from './programs/token.ts'
import type { ChainAccount } from './token-state.ts'

/**
 * The rent that an account of each kind must hold. A token account's is returned when it is closed. A
 * multisig's is not, since the token program can't close one.
 */
export type Rents = { multisig: Lamports; tokenAccount: Lamports }

/** The account with the chain's rent. */
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address

/** The bytes that the chain adds to an account's data. */
const ACCOUNT_OVERHEAD_BYTES = 128

/** The sanity limit: no account of the service costs a whole SOL. */
const MAX_SANE_RENT_LAMPORTS = 1_000_000_000

/**
 * Reads the rents from the `Rent` sysvar: lamports per byte and year, years until an account is exempt.
 * @throws ApiError `dependency_unavailable` if the sysvar is unreadable
 */
export function rentsOf(sysvar: ChainAccount | undefined): Rents {
  const rent = sysvar && sysvar.data.length >= 16 ? rentOf(sysvar.data) : undefined
  if (!rent) {
    throw new ApiError('dependency_unavailable', 'The Solana network did not answer; please try again.', {
      retryAfterSeconds: 2,
      cause: new Error('the Rent sysvar cannot be read'),
    })
  }
  return { multisig: rent(MULTISIG_BYTES), tokenAccount: rent(TOKEN_ACCOUNT_BYTES) }
}

function rentOf(data: Uint8Array): ((bytes: number) => Lamports) | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const perByte = Number(view.getBigUint64(0, true)) * view.getFloat64(8, true)
  const largest = (ACCOUNT_OVERHEAD_BYTES + MULTISIG_BYTES) * perByte
  return perByte >= 0 && largest < MAX_SANE_RENT_LAMPORTS
    ? (bytes) => lamports(BigInt(Math.floor((ACCOUNT_OVERHEAD_BYTES + bytes) * perByte)))
    : undefined
}
