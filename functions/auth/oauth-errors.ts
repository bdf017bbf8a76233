import type { ProblemMembers } from '../../lib/http/problems.ts'

const OAUTH_PATHS = ['/v1/oauth/token', '/v1/oauth/revoke', '/v1/oauth/register', '/v1/oauth/request']

/** Codes that are also the standards’ names of these errors. */
const STANDARD = [
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_grant_type', 'invalid_target'],
  'invalid_redirect_uri',
]

/**
 * Adds what clients of OAuth read (RFC 6749, 5.2; RFC 7591, 3.2.2). Other errors get the standard's name for
 * whose fault it is.
 */
export const oauthErrorMembers: ProblemMembers = ({ path, code, status, detail }) =>
  OAUTH_PATHS.includes(path) ? { error: errorOf(path, code, status), error_description: detail } : {}

function errorOf(path: string, code: string, status: number): string {
  if (status === 429 || status >= 500) return 'temporarily_unavailable'
  if (path.endsWith('/register') && code !== 'invalid_redirect_uri') return 'invalid_client_metadata'
  return STANDARD.includes(code) ? code : 'invalid_request'
}
