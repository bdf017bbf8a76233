import type { ErrorCode } from '../schema/errors.ts'
import type { HealthChecks } from '../schema/wire/health.ts'

/** One refused field. `path` is dotted (`supportedLayers.2`); the empty path is the value as a whole. */
export type FieldError = { path: string; message: string }

/** What a refusal may carry besides its sentence. */
export type ApiErrorDetails = {
  errors?: FieldError[]
  checks?: HealthChecks
  /** Lamports that remain of a budget. */
  remaining?: bigint
  /** The oldest event that can still be read. */
  oldest?: string | undefined
  /** When to try again. */
  retryAfterSeconds?: number
  /** How to authenticate: the token's fault, if one was sent, and the permission that it lacks. */
  challenge?: { error?: 'invalid_token' | 'insufficient_scope'; scope?: string }
  /** The methods that the path has. */
  allow?: string[]
  /** The limit that was exceeded: so many requests in so many seconds. */
  quota?: { policy: string; limit: number; period: number }
  cause?: unknown
}

/**
 * A request that the service understood and declines, with a stable code and a sentence for the caller.
 * It has neither status nor headers: lib/http/problems.ts makes them of the code and the details.
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
