import { connect, type Db } from '../../lib/db/connect.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { parseSpots } from '../../lib/pioneer/rules.ts'

/** The dependencies of the statistics. */
export type Deps = { db: Db; spots: number; now: Date }

export const deps = (env: Cloudflare.MarketplaceEnv, { subrequests, now }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, subrequests),
  spots: parseSpots(env.PIONEER_SPOTS),
  now,
})
