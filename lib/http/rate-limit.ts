import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '../api-error.ts'
import type { Session } from '../auth/session/token.ts'
import { clientAddress } from './client-address.ts'

/** The period of all limits, in seconds. */
export const PERIOD_S = 60

/**
 * The limits of wrangler.toml, by binding name: requests per period. Answers show them to clients, but a
 * binding does not reveal its own. A test compares them with wrangler.toml.
 */
export const rateLimits = {
  READ_LIMIT: 600,
  LOGIN_LIMIT: 30,
  PUBLIC_WRITE_LIMIT: 60,
  /** For requests with a token, also an invalid one. Many people may share an address. */
  ADDRESS_LIMIT: 1_200,
  WALLET_LIMIT: 120,
  PIONEER_LIMIT: 10,
  /** Calls of the facilitator with an agent's key. */
  FACILITATOR_LIMIT: 1_200,
  /** Deep health checks, each of which probes every system. */
  HEALTH_LIMIT: 10,
} as const

/** Returns the name of a limit for clients: `public-write` for PUBLIC_WRITE_LIMIT. */
export const policyOf = (name: LimitName): string =>
  name.slice(0, -'_LIMIT'.length).replace('_', '-').toLowerCase()

export type LimitName = keyof typeof rateLimits

/** Limits a route per client address and method. */
export const limitByAddress = (name: LimitName) =>
  limiter(name, (c) => `${c.req.method} ${clientAddress(c.req.raw.headers)}`)

/** Limits all requests of a client address with a session token, valid or not. */
export const limitSessionsByAddress = limiter('ADDRESS_LIMIT', (c) => clientAddress(c.req.raw.headers))

/** Limits a route whose token is in the body as {@link limitSessionsByAddress} does, apart from others. */
export const limitProofsByAddress = limiter(
  'ADDRESS_LIMIT',
  (c) => `${c.req.path} ${clientAddress(c.req.raw.headers)}`,
)

/**
 * Limits all requests of a wallet together, also of new grants and session epochs. Runs after the session
 * middleware.
 */
export const limitWallets = limiter(
  'ADDRESS_LIMIT',
  (c) => `wallet ${(c.get('session') as Session).wallet}`,
  'wallet-total',
)

/** Returns what a session counts by: its grant or, without one, its epoch. */
export const holderOf = ({ wallet, epoch, grant }: Session): string => `${wallet} ${grant ?? epoch}`

/**
 * Limits a route per wallet; each grant and each session epoch counts by itself. So neither a program nor a
 * revoked token uses up the calls of the wallet's owner. Runs after the session middleware.
 */
export const limitByWallet = (name: LimitName) => limiter(name, (c) => holderOf(c.get('session') as Session))

/** Limits a route per wallet and client address. Runs after the session middleware. */
export const limitByWalletAndAddress = (name: LimitName) =>
  limiter(name, (c) => `${(c.get('session') as Session).wallet} ${clientAddress(c.req.raw.headers)}`)

/**
 * Counts a call with a Workers rate limiting binding (fixed windows, per Cloudflare location).
 * @param policy the limit's name for clients, by default of its binding
 * @throws ApiError rate_limited (429) with Retry-After and RateLimit-Policy
 */
export async function requireWithin(
  name: LimitName,
  binding: RateLimit,
  key: string,
  policy: string = policyOf(name),
): Promise<void> {
  const limit = rateLimits[name]
  const { success } = await binding.limit({ key })
  if (success) return
  throw new ApiError('rate_limited', `At most ${limit} requests in ${PERIOD_S} seconds.`, {
    retryAfterSeconds: PERIOD_S,
    quota: { policy, limit, period: PERIOD_S },
  })
}

/** Makes middleware that checks a limit before the route runs. */
export function limiter(name: LimitName, keyOf: (c: Context) => string, policy?: string) {
  return createMiddleware<{ Bindings: Record<LimitName, RateLimit> }>(async (c, next) => {
    await requireWithin(name, c.env[name], keyOf(c), policy)
    await next()
  })
}
