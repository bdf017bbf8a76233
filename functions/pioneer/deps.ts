import type { ScheduleJob } from '../../lib/clock/wake.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import { type Notify, scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { parseSpots } from '../../lib/pioneer/rules.ts'

/** The dependencies of pioneers. */
export type Deps = { db: Db; now: Date; schedule: ScheduleJob; spots: number; notify: Notify }

export function deps(env: Cloudflare.PioneerEnv, scope: RequestScope): Deps {
  const { now, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    now,
    spots: parseSpots(env.PIONEER_SPOTS),
    ...scheduleAndNotifyOf(env, scope),
  }
}
