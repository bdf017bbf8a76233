import * as v from 'valibot'
import { HealthChecks } from './health.ts'

/** The body of every error (RFC 9457 members, plus code, requestId, the refused fields, and the checks of a health). */
export const Problem = v.strictObject({
  type: v.pipe(v.string(), v.url()),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.string(),
  requestId: v.string(),
  errors: v.optional(v.array(v.strictObject({ path: v.string(), message: v.string() }))),
  checks: v.optional(HealthChecks),
})
