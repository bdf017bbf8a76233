import type { AgentDeps } from '../../lib/agents/deps.ts'
import { connect } from '../../lib/db/connect.ts'
import type { CardService } from '../../lib/discovery/cards/read.ts'
import { scheduleAndNotifyOf } from '../../lib/events/outbox/notify.ts'
import type { SecretMaker } from '../../lib/events/secrets/secrets.ts'
import type { RequestScope } from '../../lib/http/context.ts'
import { readCoins } from '../../lib/x402/coins.ts'

/** The dependencies of the marketplace. */
export type Deps = AgentDeps & {
  /** New hires of a client's address in an hour. */
  hiresPerAddress: number
  /** X402_FEE: the least debit of an owner's credit for a payment, in CRED's smallest units. */
  requestFee: bigint
  cards: CardService
}

export function deps(env: Cloudflare.AgentsEnv, scope: RequestScope): Deps {
  const { now, subrequests } = scope
  return {
    db: connect(env.DATABASE_URL, subrequests),
    now,
    ...scheduleAndNotifyOf(env, scope),
    // wrangler's types know the names of other Workers' entrypoints, not their methods.
    secrets: env.WEBHOOK_SECRETS as unknown as SecretMaker,
    apiHost: env.API_HOST,
    agentsPerAddress: Number(env.AGENTS_PER_ADDRESS),
    hiresPerAddress: Number(env.HIRES_PER_ADDRESS),
    changesPerAddress: Number(env.STATUS_CHANGES_PER_ADDRESS),
    requestFee: readCoins('X402_FEE', env.X402_FEE),
    cards: env.CARDS as unknown as CardService,
  }
}
