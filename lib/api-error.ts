import type { ErrorCode } from '../schema/errors.ts'
import type { HealthChecks } from '../schema/wire/health.ts'

/** An invalid field. `path` is dotted (`supportedLayers.2`); the empty path is the value as a whole. */
export type FieldError = { path: string; message: string }

/** What an error response may contain besides its sentence. */
export type ApiErrorDetails = {
  errors?: FieldError[]
  checks?: HealthChecks
  /** Lamports that remain of a budget or a spending limit. */
  remaining?: bigint
  /** The oldest event that can still be read. */
  oldest?: string | undefined
  /** When to try again. */
  retryAfterSeconds?: number
  /**
   * How to authenticate: the error of the token that was sent, the permissions that the request needs, and
   * the URL of the metadata that leads to the authorization server (RFC 9728).
   */
  challenge?: { error?: 'invalid_token' | 'insufficient_scope'; scope?: string; resource_metadata?: string }
  /** The methods that the path has. */
  allow?: string[]
  /** The exceeded limit: requests in a period of seconds. */
  quota?: { policy: string; limit: number; period: number }
  cause?: unknown
}

/**
 * An error response of the API: a stable code and a sentence for the caller. lib/http/problems.ts derives
 * its status and headers from the code and the details.
 */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly details: ApiErrorDetails

  constructor(code: ErrorCode, detail: string, details: ApiErrorDetails = {}) {
    super(detail, { cause: details.cause })
    this.name = 'ApiError'
    this.code = code
    this.details = details
  }
}
