import { ApiError } from '../../api-error.ts'

/** The error for a code or token. Every failed check gets the same text. */
export const invalidGrant = (what: string): ApiError =>
  new ApiError(
    'invalid_grant',
    `The ${what} is not valid: it is expired, used, revoked, or of another client.`,
  )
