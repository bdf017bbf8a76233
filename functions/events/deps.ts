import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { metered } from '../../lib/meter.ts'
import { type Nudge, nudgeBy } from '../../lib/outbox/nudge.ts'

/** What the events use cases need. */
export type Deps = {
  db: Db
  now: Date
  nudge: Nudge
  /** The public keys of webhook signatures, as GET /events/keys shows them. */
  publicKeys: () => string[]
}

export const deps = (env: Cloudflare.EventsEnv, { now, background, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  nudge: nudgeBy(metered(env.DELIVERIES, 'queue', meter), background),
  publicKeys: () => env.WEBHOOK_PUBLIC_KEYS.split(',').map((key) => key.trim()),
})
