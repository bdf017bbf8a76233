import { connect, type Db } from '../../lib/db/connect.ts'
import { parseSpots } from '../../lib/pioneer/rules.ts'

/** What the statistics need. */
export type Deps = { db: Db; spots: number }

export const deps = (env: Cloudflare.MarketplaceEnv): Deps => ({
  db: connect(env.DATABASE_URL),
  spots: parseSpots(env.PIONEER_SPOTS),
})
