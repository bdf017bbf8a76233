import { Refusal } from '../refusal.ts'
import { pageOf, type Requester, requesterOf } from './messages.ts'

/** The hosts of the pages that may log users in; none: every page may. */
export type LoginDomains = readonly string[]

/** Reads LOGIN_DOMAINS: hosts (with their ports), comma separated. */
export const loginDomainsOf = (setting: string): LoginDomains =>
  setting.split(',').flatMap((entry) => entry.trim().toLowerCase() || [])

/**
 * Finds the page that asks. Where pages are listed, it must be one of them or the service's own; a request
 * without an Origin is no page's, and the challenge names the service.
 * @throws Refusal login_domain_refused, for `null` and overlong Origins, too
 */
export function allowedRequester(
  domains: LoginDomains,
  origin: string | undefined,
  requestUrl: string,
): Requester {
  if (domains.length > 0 && origin !== undefined) {
    const host = pageOf(origin)?.host
    if (host === undefined || ![...domains, new URL(requestUrl).host].includes(host))
      throw new Refusal('login_domain_refused', 'Pages of this origin do not log users in here.')
  }
  return requesterOf(origin, requestUrl)
}

/**
 * Holds a challenge to what a list of pages asks: wallets check the domain of a Sign-In-With-Solana message,
 * of a free text they do not.
 * @param challenge.wallet only such a message names one
 * @throws Refusal login_domain_refused
 */
export function requireSignIn(domains: LoginDomains, challenge: { wallet?: string | undefined }): void {
  if (domains.length === 0 || challenge.wallet !== undefined) return
  throw new Refusal(
    'login_domain_refused',
    'Logins here are by Sign-In-With-Solana: ask for the challenge with publicKey.',
  )
}
