import type { WakeBy } from '../../lib/clock/wake.ts'
import { connect, type Db } from '../../lib/db/connect.ts'
import type { CardService } from '../../lib/discovery/cards/read.ts'
import { type Nudge, tellersOf } from '../../lib/events/outbox/nudge.ts'
import type { SecretMaker } from '../../lib/events/secrets/secrets.ts'
import type { RequestScope } from '../../lib/http/context.ts'

/** What the marketplace use cases need. */
export type Deps = {
  db: Db
  now: Date
  nudge: Nudge
  wakeBy: WakeBy
  /** The jobs Worker, which alone can encrypt a secret. */
  secrets: SecretMaker
  /** Our own host, at which no webhook may be. */
  apiHost: string
  /** New agents, or new agent endpoints, of a client's address in an hour. */
  agentsPerAddress: number
  /** New hires of a client's address in an hour. */
  hiresPerAddress: number
  /** Changes of agents' statuses by their owners, from a client's address in an hour. */
  changesPerAddress: number
  cards: CardService
}

export function deps(env: Cloudflare.AgentsEnv, scope: RequestScope): Deps {
  const { now, meter } = scope
  return {
    db: connect(env.DATABASE_URL, meter),
    now,
    ...tellersOf(env, scope),
    // wrangler's types know the names of other Workers' entrypoints, not their methods.
    secrets: env.WEBHOOK_SECRETS as unknown as SecretMaker,
    apiHost: env.API_HOST,
    agentsPerAddress: Number(env.AGENTS_PER_ADDRESS),
    hiresPerAddress: Number(env.HIRES_PER_ADDRESS),
    changesPerAddress: Number(env.STATUS_CHANGES_PER_ADDRESS),
    cards: env.CARDS as unknown as CardService,
  }
}
