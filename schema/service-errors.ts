/**
 * An error's HTTP status, and its meaning with the client's next step. Its title is its code in words, unless
 * it has another.
 */
export type ErrorRow = { status: number; title?: string; meaning: string }

/** The errors of any operation. Append-only, like all of schema/errors.ts. */
export const serviceErrors = {
  invalid_request: {
    status: 400,
    meaning: 'A field or parameter is missing, unknown or out of bounds; `errors` names each one.',
  },
  malformed_json: { status: 400, title: 'Malformed JSON', meaning: 'The body is not valid JSON.' },
  token_missing: {
    status: 401,
    title: 'Session token missing',
    meaning: 'The operation needs a session token in the Authorization header.',
  },
  token_invalid: {
    status: 401,
    title: 'Session token invalid',
    meaning: 'The session token is expired, forged or for another service. Log in again.',
  },
  session_revoked: {
    status: 401,
    meaning: 'The wallet has revoked its sessions since this one began (POST /auth/revoke). Log in again.',
  },
  permission_missing: {
    status: 403,
    meaning: 'The session is valid but does not allow this.',
  },
  not_offered: {
    status: 404,
    meaning: 'This deployment does not include the part of the service with this path.',
  },
  unknown_path: { status: 404, meaning: 'No operation has this path.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method. The Allow header lists the methods that it supports.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than 64 KiB.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body was not sent as application/json, or as a form where the operation takes one.',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests; wait for the seconds in Retry-After.',
  },
  internal_error: {
    status: 500,
    meaning: 'An error in the service. Report it with the request id.',
  },
  dependency_unavailable: {
    status: 503,
    meaning:
      'A system that the service depends on did not answer in time. A write was done completely or not at all: read the state before you repeat it. Retry after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ErrorRow>
