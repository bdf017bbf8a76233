import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/app.ts'
import { metered } from '../../lib/meter.ts'

/** What the reputation use cases need. */
export type Deps = {
  db: Db
  now: Date
  /** Tells the jobs Worker that something waits for verification. Its cron would find it, too. */
  nudge: () => void
}

export const deps = (env: Cloudflare.ReputationEnv, { now, background, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  nudge: () =>
    background(
      metered(env.VERIFICATIONS, 'queue', meter)
        .send({})
        .catch(() => {
          console.error(JSON.stringify({ level: 'error', queue: 'verifications', reason: 'not sent' }))
        }),
    ),
})
