import type { AccountListParams } from 'cloudflare/resources/accounts/accounts'
import type { SubdomainUpdateParams } from 'cloudflare/resources/workers/subdomains'
import { count, fields, like, query } from '../published.ts'
import { ApiError, type Route, route } from './state.ts'

/** The token, the account and its name below workers.dev. */
export const accountRoutes: Route[] = [
  route({
    method: 'GET',
    path: '//user/tokens/verify',
    handle: () => ({ id: 'token-id', status: 'active' }),
  }),
  // wrangler asks who is logged in before it says that a permission is missing.
  route({ method: 'GET', path: '//user', scope: 'User Details:Read', handle: () => ({ id: 'user-id' }) }),
  route({
    method: 'GET',
    path: '//accounts',
    scope: 'Account Settings:Read',
    query: query<AccountListParams>({ page: count, per_page: count }),
    handle: ({ accounts }) => accounts,
  }),
  route({
    method: 'GET',
    path: '//memberships',
    // The description has it no more; wrangler pages.
    isUnpublished: true,
    handle: ({ accounts }) => accounts.map((account) => ({ account })),
  }),
  route({
    method: 'GET',
    path: '/subscriptions',
    scope: 'Billing:Read',
    handle: ({ plan, planState }) => [
      { id: 's1', state: planState, rate_plan: { id: plan, public_name: plan } },
    ],
  }),
  route({
    method: 'GET',
    path: '/workers/subdomain',
    scope: 'Workers Scripts:Read',
    handle: ({ subdomain }) => {
      if (subdomain === undefined) throw new ApiError(404, 10007, 'workers.api.error.subdomain_not_found')
      return { subdomain }
    },
  }),
  route<SubdomainUpdateParams>({
    method: 'PUT',
    path: '/workers/subdomain',
    scope: 'Workers Scripts:Edit',
    body: fields<Omit<SubdomainUpdateParams, 'account_id'>>({ subdomain: like('^[a-z0-9-]{1,63}$') }),
    handle: (state, { body: { subdomain } }) => {
      if (state.subdomain !== undefined) throw new ApiError(409, 10036, 'account already has a subdomain')
      state.made.subdomains += 1
      state.subdomain = subdomain
      return { subdomain }
    },
  }),
]
