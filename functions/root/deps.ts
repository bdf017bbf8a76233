import { clientAddress } from '../../lib/http/client-address.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { AuthHealth, Probes, VaultHealth } from '../../lib/http/health.ts'
import { requireWithin } from '../../lib/http/rate-limit.ts'

/**
 * The root Worker serves what needs no database of its own: its description, the built API reference, health.
 */
export type Deps = {
  assets: Fetcher
  probes: Probes
  /**
   * Counts a deep check: a call that probes the database, KV, the RPC node or every Worker.
   * @throws ApiError rate_limited after too many deep checks by the caller's address
   */
  limitDeepChecks: (headers: Headers) => Promise<void>
  elapsed: () => number
  now: Date
}

export function deps(env: Cloudflare.RootEnv, { elapsed, now }: RequestScope): Deps {
  // wrangler's types know the name of another Worker's entrypoint, not its methods.
  const auth = env.AUTH_HEALTH as unknown as AuthHealth
  const vault = env.VAULT_HEALTH as unknown as VaultHealth
  return {
    assets: env.ASSETS,
    probes: {
      database: () => auth.database(),
      kv: () => auth.kv(),
      ...(isOffered(env, '/v1/vault') && { rpc: () => vault.rpc() }),
    },
    limitDeepChecks: (headers) => requireWithin('HEALTH_LIMIT', env.HEALTH_LIMIT, clientAddress(headers)),
    elapsed,
    now,
  }
}

/** Whether the Worker of a path is deployed. */
export const isOffered = ({ NOT_OFFERED = '' }: Partial<Cloudflare.RootEnv>, path: string): boolean =>
  !NOT_OFFERED.split(' ').some((prefix) => prefix !== '' && path.startsWith(prefix))
