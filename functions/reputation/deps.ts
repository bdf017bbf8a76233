import { connect, type Db } from '../../lib/db/connect.ts'

/** What the reputation use cases need. */
export type Deps = {
  db: Db
  now: Date
  /** Tells the jobs Worker that something waits for verification. Its cron would find it, too. */
  nudge: () => void
}

export const deps = (
  env: Cloudflare.ReputationEnv,
  now: Date,
  background: (work: Promise<unknown>) => void,
): Deps => ({
  db: connect(env.DATABASE_URL),
  now,
  nudge: () =>
    background(
      env.VERIFICATIONS.send({}).catch(() => {
        console.error(JSON.stringify({ level: 'error', queue: 'verifications', reason: 'not sent' }))
      }),
    ),
})
