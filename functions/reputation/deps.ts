import { clockIn, type WakeBy, wakeByOf } from '../../lib/clock/wake.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import { type Nudge, nudgeBy } from '../../lib/events/outbox/nudge.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { metered } from '../../lib/meter.ts'
import { sendBestEffort } from '../../lib/queue.ts'
import { type FeeSettings, readFeeSettings } from '../../lib/reputation/dealings/settings.ts'

/** What the reputation use cases need. */
export type Deps = {
  db: Db
  now: Date
  wakeBy: WakeBy
  fees: FeeSettings
  /** Expedited requests of a client's address in a day. */
  expeditedPerAddress: number
  /** Tells the jobs Worker that something waits for verification. Its cron would find it, too. */
  nudge: () => void
  nudgeDeliveries: Nudge
}

export const deps = (env: Cloudflare.ReputationEnv, { now, background, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  wakeBy: wakeByOf(clockIn(env), background),
  fees: readFeeSettings(env),
  expeditedPerAddress: Number(env.EXPEDITED_PER_ADDRESS),
  nudge: () =>
    sendBestEffort({ name: 'verifications', queue: metered(env.VERIFICATIONS, 'queue', meter), background }, [
      {},
    ]),
  nudgeDeliveries: nudgeBy(metered(env.DELIVERIES, 'queue', meter), background, {
    wakeBy: wakeByOf(clockIn(env), background),
    now,
  }),
})
