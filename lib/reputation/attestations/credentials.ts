import { LAST_INSTANT_MS } from '../../../schema/times.ts'
import type { VerificationLevel } from '../../../schema/values.ts'
import { DAY_MS } from '../../time.ts'

/** The level of an attestation that nobody has verified. */
export const levelOf = (documentUrl: string | null | undefined): VerificationLevel =>
  documentUrl ? 'document_submitted' : 'self_attested'

/**
 * Computes the instant at which a credential with this expiry date has expired: the end of that day, UTC. The
 * end of the last day that can be written, 9999-12-31, is a millisecond early.
 */
export const expiryInstant = (expiryDate: string): Date =>
  new Date(Math.min(LAST_INSTANT_MS, new Date(`${expiryDate}T00:00:00Z`).getTime() + DAY_MS))

/** How far the earliest time zone is ahead of UTC: a credential bears the date of the place of issue. */
const EARLIEST_ZONE_MS = 14 * 3_600_000

/** Finds what is wrong with a credential's dates at `now`, if anything, and with which field. */
export function dateFault(
  { issuedDate, expiryDate }: { issuedDate?: string | undefined; expiryDate?: string | undefined },
  now: Date,
): { path: 'issuedDate' | 'expiryDate'; message: string } | undefined {
  const today = new Date(now.getTime() + EARLIEST_ZONE_MS).toISOString().slice(0, 10)
  if (issuedDate !== undefined && issuedDate > today) {
    return { path: 'issuedDate', message: 'must not lie in the future' }
  }
  if (issuedDate !== undefined && expiryDate !== undefined && expiryDate < issuedDate) {
    return { path: 'expiryDate', message: 'must not lie before issuedDate' }
  }
  if (expiryDate !== undefined && now >= expiryInstant(expiryDate)) {
    return { path: 'expiryDate', message: 'must not have passed' }
  }
  return undefined
}
