import * as v from 'valibot'
import { describe } from '../docs.ts'
import { OwnText, UserText } from './answer-text.ts'
import { WireAmount, WireUuid } from './common.ts'
import { HealthChecks } from './health.ts'

/**
 * The body of every error: RFC 9457 members, code and requestId. Some errors add the invalid fields, the
 * checks of health, the rest of a budget, the oldest event of a log, or what OAuth or a directory reads.
 */
export const Problem = v.strictObject({
  type: v.pipe(OwnText, v.url()),
  title: OwnText,
  status: v.pipe(v.number(), v.integer()),
  detail: OwnText,
  code: OwnText,
  requestId: OwnText,
  errors: v.optional(v.array(v.strictObject({ path: UserText, message: OwnText }))),
  checks: v.optional(HealthChecks),
  errorCode: v.optional(OwnText),
  message: v.optional(OwnText),
  remaining: v.optional(WireAmount),
  oldest: v.optional(WireUuid),
  error: v.optional(OwnText),
  error_description: v.optional(OwnText),
})
describe(Problem, {
  name: 'Problem',
  description: 'The body of every error (RFC 9457), sent as application/json.',
  fields: {
    type: 'Where this error is explained.',
    title: 'The kind of error, the same for every occurrence.',
    status: 'The HTTP status.',
    detail: 'What went wrong this time, as a sentence.',
    code: 'The error code, for a program.',
    requestId: 'Identifies the request; also in X-Request-Id.',
    errors: 'Each invalid field: a dotted path and what is wrong with it.',
    checks: 'In GET /health?deep=1: whether each system is up, and how long its answer took.',
    errorCode: 'In /ard: the code of Agentic Resource Discovery.',
    message: 'In /ard: the same as `detail`.',
    error: 'In /oauth/token, /register, /revoke and /request: the error’s name in OAuth.',
    error_description: 'With `error`: the same as `detail`.',
    oldest: 'In cursor_lost: the oldest event that can still be read, if there is one.',
    remaining:
      'In budget_exhausted: lamports that remain in this period. In spend_limit_exceeded: lamports that remain of the spending limit.',
  },
})
