import { Refusal } from '../refusal.ts'
import { type Requester, requesterOf } from './messages.ts'

/**
 * Finds the page that asks, which must be on the list if there is one. Without an Origin it is the service.
 * @param domains LOGIN_DOMAINS: hosts (with their ports), comma separated; if empty, every page is allowed
 * @throws Refusal login_domain_refused
 */
export function allowedRequester(domains: string, origin: string | undefined, requestUrl: string): Requester {
  const requester = requesterOf(origin, requestUrl)
  const list = domains.split(',').flatMap((entry) => entry.trim().toLowerCase() || [])
  if (origin === undefined || list.length === 0 || list.includes(requester.domain)) return requester
  throw new Refusal('login_domain_refused', 'Pages of this origin do not log users in here.')
}
