import { clockIn, type ScheduleJob, schedulerOf } from '../../lib/clock/wake.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import type { CardService } from '../../lib/discovery/cards/read.ts'
import type { RequestScope } from '../../lib/http/context.ts'

/** The dependencies of the registry. */
export type Deps = {
  db: Db
  now: Date
  schedule: ScheduleJob
  /** The most new keys that a client address may register within an hour. */
  keysPerAddress: number
  cards: CardService
}

export const deps = (env: Cloudflare.RegistryEnv, { now, background, subrequests }: RequestScope): Deps => ({
  db: connect(env.DATABASE_URL, subrequests),
  now,
  schedule: schedulerOf(clockIn(env, subrequests), background, () => now),
  keysPerAddress: Number(env.REGISTRY_KEYS_PER_ADDRESS),
  // wrangler's types know the name of another Worker's entrypoint, not its methods.
  cards: env.CARDS as unknown as CardService,
})
