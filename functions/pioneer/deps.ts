import { clockIn, type WakeBy, wakeByOf } from '../../lib/clock/wake.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import { type Nudge, nudgeBy } from '../../lib/events/outbox/nudge.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { metered } from '../../lib/meter.ts'
import { parseSpots } from '../../lib/pioneer/rules.ts'

/** What the pioneer use cases need. */
export type Deps = { db: Db; now: Date; wakeBy: WakeBy; spots: number; nudge: Nudge }

export const deps = (env: Cloudflare.PioneerEnv, { now, background, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  wakeBy: wakeByOf(clockIn(env, meter), background),
  spots: parseSpots(env.PIONEER_SPOTS),
  nudge: nudgeBy(metered(env.DELIVERIES, 'queue', meter), background, {
    wakeBy: wakeByOf(clockIn(env, meter), background),
    now,
  }),
})
