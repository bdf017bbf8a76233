import type { Publication } from '../../lib/discovery/ard/publication.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import type { ServeDeps } from '../../lib/mcp/serve.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'

/** The dependencies of the tools, with the name and the address of this server. */
export type Deps = Omit<ServeDeps, 'countCall'> & {
  publication: Publication
  limits: Pick<Cloudflare.McpEnv, 'READ_LIMIT'>
}

/** The Workers behind the tools, and the keys that tokens are checked with. This one has no database. */
export const deps = (env: Cloudflare.McpEnv, { requestId, subrequests }: RequestScope): Deps => {
  // Without Solana there are no Workers for the vault and payments.
  const worker = (binding: Fetcher | undefined) => binding && countCalls(binding, 'worker', subrequests)
  return {
    requestId,
    access: { jwks: env.SESSION_JWKS, origin: env.API_ORIGIN },
    publication: { origin: env.API_ORIGIN, publisher: env.ARD_PUBLISHER },
    limits: env,
    workers: {
      AGENTS: worker(env.AGENTS),
      VAULT: worker(env.VAULT),
      REPUTATION: worker(env.REPUTATION),
      PAYMENTS: worker(env.PAYMENTS),
      WORK: worker(env.WORK),
      EVENTS: worker(env.EVENTS),
    },
  }
}
