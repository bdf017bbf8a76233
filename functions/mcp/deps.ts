import type { RequestScope } from '../../lib/http/context.ts'
import type { Deps } from '../../lib/mcp/send.ts'
import { metered } from '../../lib/meter.ts'

/** The Workers behind the tools. This one has no database and no secret. */
export const deps = (env: Cloudflare.McpEnv, { requestId, meter }: RequestScope): Deps => {
  const worker = (binding: Fetcher) => metered(binding, 'worker', meter)
  return {
    requestId,
    workers: {
      AGENTS: worker(env.AGENTS),
      VAULT: worker(env.VAULT),
      REPUTATION: worker(env.REPUTATION),
      PAYMENTS: worker(env.PAYMENTS),
      EVENTS: worker(env.EVENTS),
    },
  }
}
