import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/app.ts'

/** What the marketplace use cases need. */
export type Deps = { db: Db; now: Date }

export const deps = (env: Cloudflare.AgentsEnv, { now, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
})
