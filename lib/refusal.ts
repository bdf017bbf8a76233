import type { ErrorCode } from '../schema/error-codes.ts'
import type { HealthChecks } from '../schema/wire/health.ts'

/** One refused field. `path` is dotted (`supportedLayers.2`); the empty path is the value as a whole. */
export type FieldError = { path: string; message: string }

/** What a refusal may carry besides its sentence. */
export type RefusalDetails = {
  errors?: FieldError[]
  checks?: HealthChecks
  retryAfterSeconds?: number
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * A request that the service understood and declines, with a stable code and a sentence for the caller.
 * It knows no HTTP: lib/http/problems.ts gives each code its status.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: RefusalDetails

  constructor(code: ErrorCode, detail: string, details: RefusalDetails = {}) {
    super(detail, { cause: details.cause })
    this.name = 'Refusal'
    this.code = code
    this.details = details
  }
}
