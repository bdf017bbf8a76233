import { LOOPBACK_HOST } from '../../schema/loopback.ts'
import { ApiError } from '../api-error.ts'
import { pageOf, type Requester, requesterOf } from './messages.ts'

/** The hosts of the pages that may log users in; if empty, every page may. */
export type LoginDomains = readonly string[]

/** Parses LOGIN_DOMAINS: hosts (with their ports), comma separated. */
export const loginDomainsOf = (setting: string): LoginDomains =>
  setting.split(',').flatMap((entry) => entry.trim().toLowerCase() || [])

/**
 * Returns the page that asks. If LOGIN_DOMAINS lists pages, it must be one of them, by https, or the
 * service's own. A request without an Origin does not come from a page, and its challenge names the service.
 * @throws ApiError login_domain_refused, also for `null` and overlong Origins
 */
export function allowedRequester(
  domains: LoginDomains,
  origin: string | undefined,
  requestUrl: string,
): Requester {
  if (domains.length > 0 && origin !== undefined) {
    const page = pageOf(origin)
    if (!page || ![...domains.flatMap(originsOf), new URL(requestUrl).origin].includes(page.origin))
      throw new ApiError('login_domain_refused', 'This service accepts no logins from this origin.')
  }
  return requesterOf(origin, requestUrl)
}

const LOOPBACK = new RegExp(`^${LOOPBACK_HOST}$`)

/** Returns the origins of the pages of a host: by https, and by http on this machine. */
const originsOf = (host: string): string[] =>
  LOOPBACK.test(host) ? [`https://${host}`, `http://${host}`] : [`https://${host}`]

/**
 * Requires a Sign-In-With-Solana message if LOGIN_DOMAINS lists pages. Wallets check the domain of such a
 * message, but not of a plain text.
 * @param challenge.wallet set only for a Sign-In-With-Solana message
 * @throws ApiError login_domain_refused
 */
export function requireSignIn(domains: LoginDomains, challenge: { wallet?: string | undefined }): void {
  if (domains.length === 0 || challenge.wallet !== undefined) return
  throw new ApiError(
    'login_domain_refused',
    'This service requires Sign-In-With-Solana: request the challenge with publicKey.',
  )
}
