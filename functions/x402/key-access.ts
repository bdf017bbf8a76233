import { createMiddleware } from 'hono/factory'
import { ApiError } from '../../lib/api-error.ts'
import { clientAddress } from '../../lib/http/client-address.ts'
import type { OtherAccess } from '../../lib/http/operation.ts'
import { limiter, requireWithin } from '../../lib/http/rate-limit.ts'
import type { FacilitatorCall } from '../../lib/x402/facilitator/deps.ts'
import { readFacilitatorKey } from '../../lib/x402/keys/facilitator-key.ts'
import type { Deps } from './deps.ts'

/** The dependencies of a call with an agent's key in its path. */
export type KeyDeps = Deps & { key: FacilitatorCall['key'] }

/**
 * Lets a call pass only if its path has a key that this service has made; no I/O. Calls count by the key's
 * agent and version, so calls with a former key use up none of the newest key's. They never count by address,
 * which many resource servers share. Calls without a valid key count by address.
 */
export const withKey: OtherAccess = {
  stages: (limit) => [guard, limiter(limit, (c) => countedBy((c.get('deps') as KeyDeps).key))],
}

const countedBy = ({ agentId, keyVersion }: FacilitatorCall['key']) => `${agentId} ${keyVersion}`

const guard = createMiddleware<{ Bindings: Cloudflare.X402Env; Variables: { deps: Deps } }>(
  async (c, next) => {
    const key = await readFacilitatorKey(c.env.X402_KEY_SECRET, c.req.param('key') ?? '')
    if (key === undefined) {
      await requireWithin('READ_LIMIT', c.env.READ_LIMIT, `key ${clientAddress(c.req.raw.headers)}`)
      throw new ApiError('facilitator_key_unknown', 'Unknown key. Make one: POST /x402/agents/{id}/key.')
    }
    const deps: KeyDeps = { ...c.get('deps'), key }
    c.set('deps', deps)
    await next()
  },
)
