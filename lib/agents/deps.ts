import type { WakeBy } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import type { SecretMaker } from '../events/secrets/secrets.ts'

/** What registering and changing agents needs. */
export type AgentDeps = {
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
  /** Changes of agents by their owners, from a client's address in an hour. */
  changesPerAddress: number
}
