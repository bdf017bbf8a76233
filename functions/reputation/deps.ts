import { connect, type Db } from '../../lib/db/connect.ts'
import { type Notify, scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { type FeeSettings, readFeeSettings } from '../../lib/reputation/counterparties/settings.ts'
import { VERIFICATION_LOST_AFTER_MS } from '../../lib/reputation/rules.ts'
import { sendBestEffort } from '../../lib/runtime/queue.ts'
import { countCalls } from '../../lib/runtime/subrequests.ts'

/** The dependencies of the reputation. */
export type Deps = {
  db: Db
  now: Date
  fees: FeeSettings
  /** Expedited requests of a client's address in a day. */
  expeditedPerAddress: number
  /** New attestations of a client's address in an hour. */
  attestationsPerAddress: number
  /** Asks the jobs Worker to review pending requests: by its queue, or if that fails, by the Clock. */
  requestReview: () => void
  notify: Notify
}

export function deps(env: Cloudflare.ReputationEnv, scope: RequestScope): Deps {
  const { now, background, subrequests } = scope
  const { schedule, notify } = scheduleAndNotifyOf(env, scope)
  return {
    db: connect(env.DATABASE_URL, subrequests),
    now,
    fees: readFeeSettings(env),
    expeditedPerAddress: Number(env.EXPEDITED_PER_ADDRESS),
    attestationsPerAddress: Number(env.ATTESTATIONS_PER_ADDRESS),
    requestReview: () => {
      const queue = countCalls(env.VERIFICATIONS, 'queue', subrequests)
      const lostAt = new Date(now.getTime() + VERIFICATION_LOST_AFTER_MS)
      const onLost = () => schedule('verifications', lostAt)
      sendBestEffort({ name: 'verifications', queue, background, onLost }, [{}])
    },
    notify,
  }
}
