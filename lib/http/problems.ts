import { type ErrorCode, errors as table, titleOf } from '../../schema/errors.ts'
import type { ApiError, ApiErrorDetails } from '../api-error.ts'
import { json } from './json.ts'

/** Returns the extra members in the errors of a path. */
export type ProblemMembers = (problem: {
  path: string
  code: ErrorCode
  status: number
  detail: string
}) => Record<string, string>

/**
 * Makes the error response of every operation: the members of RFC 9457, as application/json. `type` links to
 * the code in the API reference.
 */
export function problemResponse(
  error: ApiError,
  request: { url: string; id: string },
  members?: ProblemMembers,
): Response {
  const { status } = table[error.code]
  const { errors, checks, remaining, oldest } = error.details
  const type = `${new URL(request.url).origin}/v1/docs#error-${error.code}`
  const body = {
    type,
    title: titleOf(error.code),
    status,
    detail: error.message,
    code: error.code,
    requestId: request.id,
    errors,
    checks,
    remaining,
    oldest,
    ...members?.({ path: new URL(request.url).pathname, code: error.code, status, detail: error.message }),
  }
  return json(body, status, { 'cache-control': 'no-store', ...headersOf(error.details) })
}

/** Returns the headers for the details of an error. */
function headersOf({ retryAfterSeconds, challenge, allow, quota }: ApiErrorDetails): Record<string, string> {
  return {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(challenge === undefined ? {} : { 'www-authenticate': bearerChallenge(challenge) }),
    ...(allow === undefined ? {} : { allow: allow.join(', ') }),
    ...(quota === undefined
      ? {}
      : { 'ratelimit-policy': `"${quota.policy}";q=${quota.limit};w=${quota.period}` }),
  }
}

/** Formats the WWW-Authenticate header (RFC 6750 section 3). */
const bearerChallenge = (challenge: NonNullable<ApiErrorDetails['challenge']>): string =>
  `Bearer ${['realm="agentcred"', ...Object.entries(challenge).map(([name, value]) => `${name}="${value}"`)].join(', ')}`
