import { connect, type Db } from '../../lib/db/connect.ts'

/** What the registry's use cases need. */
export type Deps = { db: Db; now: Date }

export const deps = (env: Cloudflare.RegistryEnv, now: Date): Deps => ({
  db: connect(env.DATABASE_URL),
  now,
})
