import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { parseSpots } from '../../lib/pioneer/rules.ts'

/** What the pioneer use cases need. */
export type Deps = { db: Db; now: Date; spots: number }

export const deps = (env: Cloudflare.PioneerEnv, { now, meter }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, meter),
  now,
  spots: parseSpots(env.PIONEER_SPOTS),
})
