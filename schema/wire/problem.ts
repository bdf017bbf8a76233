import * as v from 'valibot'
import { OwnText, UserText } from './answer-text.ts'
import { body } from './body.ts'
import { WireAmount, WireUuid } from './common.ts'
import { HealthChecks } from './health.ts'

/**
 * The body of every error: RFC 9457 members, code and requestId. Some errors add the invalid fields, the
 * checks of health, the rest of a budget, the oldest event of a log, or what OAuth or a directory reads.
 */
export const Problem = body('Problem', 'The body of every error (RFC 9457), sent as application/json.', {
  type: [v.pipe(OwnText, v.url()), 'Where this error is explained.'],
  title: [OwnText, 'The kind of error, the same for every occurrence.'],
  status: [v.pipe(v.number(), v.integer()), 'The HTTP status.'],
  detail: [OwnText, 'What went wrong this time, as a sentence.'],
  code: [OwnText, 'The error code, for a program.'],
  requestId: [OwnText, 'Identifies the request; also in X-Request-Id.'],
  errors: [
    v.optional(v.array(v.strictObject({ path: UserText, message: OwnText }))),
    'Each invalid field: a dotted path and what is wrong with it.',
  ],
  checks: [
    v.optional(HealthChecks),
    'In GET /health?deep=1: whether each system is up, and how long its answer took.',
  ],
  errorCode: [v.optional(OwnText), 'In /ard: the code of Agentic Resource Discovery.'],
  message: [v.optional(OwnText), 'In /ard: the same as `detail`.'],
  remaining: [
    v.optional(WireAmount),
    'In budget_exhausted: lamports that remain in this period. In spend_limit_exceeded: lamports that remain of the spending limit.',
  ],
  oldest: [v.optional(WireUuid), 'In cursor_lost: the oldest event that can still be read, if there is one.'],
  error: [
    v.optional(OwnText),
    'In /oauth/token, /register, /revoke and /request: the error’s name in OAuth.',
  ],
  error_description: [v.optional(OwnText), 'With `error`: the same as `detail`.'],
})
