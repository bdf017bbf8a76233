import { connect, type Db } from '../../lib/db/connect.ts'
import { type Nudge, nudgeBy } from '../../lib/events/nudge.ts'

/** What the marketplace use cases need. */
export type Deps = {
  db: Db
  now: Date
  nudge: Nudge
  /** Our own host, which can be nobody's webhook. */
  apiHost: string
}

export const deps = (
  env: Cloudflare.AgentsEnv,
  now: Date,
  background: (work: Promise<unknown>) => void,
): Deps => ({
  db: connect(env.DATABASE_URL),
  now,
  nudge: nudgeBy(env.DELIVERIES, background),
  apiHost: env.API_HOST,
})
