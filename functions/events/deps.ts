import { connect, type Db } from '../../lib/db/connect.ts'
import { type Nudge, nudgeBy } from '../../lib/events/nudge.ts'

/** What the events use cases need. */
export type Deps = {
  db: Db
  now: Date
  nudge: Nudge
  /** The public keys of webhook signatures, as GET /events/keys shows them. */
  publicKeys: () => string[]
}

export const deps = (
  env: Cloudflare.EventsEnv,
  now: Date,
  background: (work: Promise<unknown>) => void,
): Deps => ({
  db: connect(env.DATABASE_URL),
  now,
  nudge: nudgeBy(env.DELIVERIES, background),
  publicKeys: () => env.WEBHOOK_PUBLIC_KEYS.split(',').map((key) => key.trim()),
})
