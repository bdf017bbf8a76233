import type { SigningKey } from '../crypto/signing-key.ts'
import type { Db } from '../db/connect.ts'

/** What delivering needs. */
export type DeliverDeps = {
  db: Db
  /** Read twice: an attempt takes time. */
  clock: () => Date
  random: () => number
  /** Imported once per isolate. */
  signingKeys: () => Promise<SigningKey[]>
  /** Our own host, to which nothing is sent. */
  apiHost: string
  /** Nudges for an agent after so many milliseconds. */
  nudgeLater: (nudges: { agentId: string; delayMs: number }[]) => Promise<void>
}
