import { connect, type Db } from '../../lib/db/connect.ts'

/** What the marketplace use cases need. */
export type Deps = { db: Db; now: Date }

export const deps = (env: Cloudflare.AgentsEnv, now: Date): Deps => ({ db: connect(env.DATABASE_URL), now })
