import { LAST_INSTANT_MS } from '../../../schema/times.ts'
import type { VerificationLevel } from '../../../schema/values.ts'
import { DAY_MS } from '../../time.ts'

/** Returns the level of an unverified attestation. */
export const levelOf = (documentUrl: string | null | undefined): VerificationLevel =>
  documentUrl ? 'document_submitted' : 'self_attested'

/**
 * Computes when a credential with this expiry date expires: at the end of that UTC day. For 9999-12-31, the
 * last day that can be written, it is a millisecond earlier.
 */
export const expiryInstant = (expiryDate: string): Date =>
  new Date(Math.min(LAST_INSTANT_MS, new Date(`${expiryDate}T00:00:00Z`).getTime() + DAY_MS))

/** The offset of the earliest time zone, because a credential has the local date of its issue. */
const EARLIEST_ZONE_MS = 14 * 3_600_000

/** Finds the first invalid date of a credential at `now`. @returns the field and the error, if any */
export function dateError(
  { issuedDate, expiryDate }: { issuedDate?: string | undefined; expiryDate?: string | undefined },
  now: Date,
): { path: 'issuedDate' | 'expiryDate'; message: string } | undefined {
  const today = new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10)
  if (issuedDate !== undefined && issuedDate > today) {
    return { path: 'issuedDate', message: 'must not be in the future' }
  }
  if (issuedDate !== undefined && expiryDate !== undefined && expiryDate < issuedDate) {
    return { path: 'expiryDate', message: 'must not be before issuedDate' }
  }
  if (expiryDate !== undefined && now >= expiryInstant(expiryDate)) {
    return { path: 'expiryDate', message: 'must not have passed' }
  }
  return undefined
}
