import type { Publication } from '../../lib/discovery/ard/publication.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { Deps as ToolDeps } from '../../lib/mcp/send.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'

/** The dependencies of the tools, with the name and the address of this server. */
export type Deps = ToolDeps & { publication: Publication }

/** The Workers behind the tools. This one has no database and no secret. */
export const deps = (env: Cloudflare.McpEnv, { requestId, subrequests }: RequestScope): Deps => {
  // Without Solana there are no Workers for the vault and payments.
  const worker = (binding: Fetcher | undefined) => binding && countCalls(binding, 'worker', subrequests)
  return {
    requestId,
    publication: { origin: env.API_ORIGIN, publisher: env.ARD_PUBLISHER },
    workers: {
      AGENTS: worker(env.AGENTS),
      VAULT: worker(env.VAULT),
      REPUTATION: worker(env.REPUTATION),
      PAYMENTS: worker(env.PAYMENTS),
      EVENTS: worker(env.EVENTS),
    },
  }
}
