import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Session } from '../auth/session/token.ts'
import { Refusal } from '../refusal.ts'
import { clientAddress } from './client-address.ts'

/** In seconds; of all limits the same. */
export const PERIOD_S = 60

/**
 * The limits of wrangler.toml, by binding name: requests per period. The binding itself tells neither, and
 * the client is told both; a test holds the two against each other.
 */
export const rateLimits = {
  READ_LIMIT: 600,
  LOGIN_LIMIT: 30,
  PUBLIC_WRITE_LIMIT: 60,
  /** For requests with a token, a bad one too: wallets are free. Many people may share an address. */
  ADDRESS_LIMIT: 1_200,
  WALLET_LIMIT: 120,
  PIONEER_LIMIT: 10,
  /** Calls of the facilitator by an agent's key. */
  FACILITATOR_LIMIT: 1_200,
  /** Deep health checks: each asks every system behind the service. */
  HEALTH_LIMIT: 10,
} as const

/** What clients are told a limit is called: PUBLIC_WRITE_LIMIT is `public-write`. */
export const policyOf = (name: LimitName): string =>
  name.slice(0, -'_LIMIT'.length).replace('_', '-').toLowerCase()

export type LimitName = keyof typeof rateLimits

/** Limits a route per client address, reads apart from writes. */
export const limitByAddress = (name: LimitName) =>
  limiter(name, (c) => `${c.req.method} ${clientAddress(c.req.raw.headers)}`)

/** Limits all requests of a client address with a session token, valid or not. */
export const limitSessionsByAddress = limiter('ADDRESS_LIMIT', (c) => clientAddress(c.req.raw.headers))

/** Limits a route per wallet; stands after the session guard. */
export const limitByWallet = (name: LimitName) => limiter(name, (c) => (c.get('session') as Session).wallet)

/**
 * Asks a Workers rate limiting binding (fixed windows, counted per Cloudflare location).
 * @throws Refusal rate_limited (429) with Retry-After and RateLimit-Policy
 */
export async function requireWithin(name: LimitName, binding: RateLimit, key: string): Promise<void> {
  const limit = rateLimits[name]
  const { success } = await binding.limit({ key })
  if (success) return
  throw new Refusal('rate_limited', `At most ${limit} requests in ${PERIOD_S} seconds.`, {
    retryAfterSeconds: PERIOD_S,
    quota: { policy: policyOf(name), limit, period: PERIOD_S },
  })
}

/** Asks before the route runs. */
export function limiter(name: LimitName, keyOf: (c: Context) => string) {
  return createMiddleware<{ Bindings: Record<LimitName, RateLimit> }>(async (c, next) => {
    await requireWithin(name, c.env[name], keyOf(c))
    await next()
  })
}
