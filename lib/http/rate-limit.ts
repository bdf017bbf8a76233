import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Session } from '../auth/session/token.ts'
import { Refusal } from '../refusal.ts'
import { clientAddress } from './client-address.ts'

/**
 * The limits of wrangler.toml, by binding name: requests per period of seconds. The binding itself tells
 * neither, and the client is told both; a test holds the two against each other.
 */
export const rateLimits = {
  READ_LIMIT: { policy: 'read', limit: 600, period: 60 },
  LOGIN_LIMIT: { policy: 'login', limit: 30, period: 60 },
  PUBLIC_WRITE_LIMIT: { policy: 'public-write', limit: 60, period: 60 },
  /** For requests with a token, a bad one too: wallets are free. Many people may share an address. */
  ADDRESS_LIMIT: { policy: 'address', limit: 1_200, period: 60 },
  WALLET_LIMIT: { policy: 'wallet', limit: 120, period: 60 },
  PIONEER_LIMIT: { policy: 'pioneer', limit: 10, period: 60 },
  /** Calls of the facilitator: of an agent’s key, and payments of a payer. */
  FACILITATOR_LIMIT: { policy: 'facilitator', limit: 1_200, period: 60 },
  PAYER_LIMIT: { policy: 'payer', limit: 120, period: 60 },
  /** Deep health checks: each asks every system behind the service. */
  HEALTH_LIMIT: { policy: 'health', limit: 10, period: 60 },
} as const

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
  const { policy, limit, period } = rateLimits[name]
  const { success } = await binding.limit({ key })
  if (success) return
  throw new Refusal('rate_limited', `At most ${limit} requests in ${period} seconds.`, {
    retryAfterSeconds: period,
    quota: { policy, limit, period },
  })
}

/** Asks before the route runs. */
export function limiter(name: LimitName, keyOf: (c: Context) => string) {
  return createMiddleware<{ Bindings: Record<LimitName, RateLimit> }>(async (c, next) => {
    await requireWithin(name, c.env[name], keyOf(c))
    await next()
  })
}
