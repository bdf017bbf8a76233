import { connect } from '../../lib/db/connect.ts'
import type { EndpointDeps } from '../../lib/events/endpoints/deps.ts'
import { scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { SecretMaker } from '../../lib/events/secrets/secrets.ts'
import type { RequestScope } from '../../lib/http/context.ts'

/** The dependencies of events and webhooks. */
export type Deps = EndpointDeps & {
  /** The public keys of webhook signatures, as GET /events/keys shows them. */
  publicKeys: () => string[]
}

export function deps(env: Cloudflare.EventsEnv, scope: RequestScope): Deps {
  const { now, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    now,
    ...scheduleAndNotifyOf(env, scope),
    // wrangler's types know the name of another Worker's entrypoint, not its methods.
    secrets: env.WEBHOOK_SECRETS as unknown as SecretMaker,
    apiHost: env.API_HOST,
    webhooksPerAddress: Number(env.WEBHOOKS_PER_ADDRESS),
    publicKeys: () => env.WEBHOOK_PUBLIC_KEYS.split(',').map((key) => key.trim()),
  }
}
