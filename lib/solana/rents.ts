import { type Lamports, lamports } from '../../schema/amounts.ts'
import { Refusal } from '../refusal.ts'
import type { Address } from './address.ts'
import { MULTISIG_BYTES, TOKEN_ACCOUNT_BYTES } from './programs/token.ts'
import type { ChainAccount } from './token-state.ts'

/**
 * What the chain asks an account of each kind to hold. A token account's comes back when it is closed; a
 * multisig's does not, since the token program closes none.
 */
export type Rents = { multisig: Lamports; tokenAccount: Lamports }

/** The account in which the chain states its rent. */
export const RENT_SYSVAR = 'SysvarRent111111111111111111111111111111111' as Address

/** What the chain counts for an account beside its data. */
const ACCOUNT_OVERHEAD_BYTES = 128

/** No account that the service makes costs a whole SOL: a larger figure was misread. */
const MAX_SANE_RENT_LAMPORTS = 1_000_000_000

/**
 * Reads the rents from the `Rent` sysvar: lamports per byte and year, years until an account is exempt.
 * @throws Refusal dependency_unavailable
 */
export function rentsOf(sysvar: ChainAccount | undefined): Rents {
  const rent = sysvar && sysvar.data.length >= 16 ? rentOf(sysvar.data) : undefined
  if (!rent) {
    throw new Refusal('dependency_unavailable', 'The Solana network did not answer; please try again.', {
      retryAfterSeconds: 2,
      cause: new Error('the Rent sysvar can not be read'),
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
