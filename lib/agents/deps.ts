import type { ScheduleJob } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Notify } from '../events/outbox/notify.ts'
import type { SecretMaker } from '../events/secrets/secrets.ts'

/** Dependencies of the use cases that register and change agents. */
export type AgentDeps = {
  db: Db
  now: Date
  notify: Notify
  schedule: ScheduleJob
  /** Calls the jobs Worker, the only one that can encrypt a secret. */
  secrets: SecretMaker
  /** The service's own host, which webhooks must not use. */
  apiHost: string
  /** New agents, or new agent endpoints, per client address and hour. */
  agentsPerAddress: number
  /** Changes of agents by their owners, per client address and hour. */
  changesPerAddress: number
}
