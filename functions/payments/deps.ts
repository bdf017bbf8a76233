import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { metered } from '../../lib/meter.ts'
import { type Nudge, nudgeBy } from '../../lib/outbox/nudge.ts'

/** What the use cases of payments need. */
export type Deps = { db: Db; now: Date; nudge: Nudge }

export const deps = (env: Cloudflare.PaymentsEnv, { now, background, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  nudge: nudgeBy(metered(env.DELIVERIES, 'queue', meter), background),
})
