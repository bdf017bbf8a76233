import { clockIn } from '../../lib/clock/wake.ts'
import { connect } from '../../lib/db/connect.ts'
import { scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { readFeeBps } from '../../lib/reputation/counterparties/settings.ts'
import type { WorkDeps } from '../../lib/work/deps.ts'
import { outagesOf } from '../../lib/work/outages.ts'
import { newestJobKey, readJobs, readJudges, readMinPrice } from '../../lib/work/settings.ts'

/** The dependencies of jobs. */
export type Deps = WorkDeps

export function deps(env: Cloudflare.WorkEnv, scope: RequestScope): Deps {
  const { now, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    now,
    ...scheduleAndNotifyOf(env, scope),
    outages: outagesOf(clockIn(env, subrequests)),
    judges: readJudges(env.JOB_JUDGES),
    minPrice: readMinPrice(env.JOB_MIN_PRICE),
    feeBps: readFeeBps(env.PROTOCOL_FEE_BPS),
    jobsPerAddress: Number(env.JOBS_PER_ADDRESS),
    keyVersion: readJobs(env.JOBS) ? newestJobKey(env) : undefined,
  }
}
