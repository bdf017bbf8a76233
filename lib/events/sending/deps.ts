import type { Leases, WakeBy } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { SigningKey } from '../../keys/signing-key.ts'
import type { Alert } from '../../runtime/alert.ts'
import type { SecretKeys } from '../secrets/secrets.ts'

/** What delivering needs. */
export type DeliverDeps = {
  db: Db
  /** Read twice: an attempt takes time. */
  clock: () => Date
  /** A stopwatch, in milliseconds: how long an answer took. */
  elapsed: () => number
  random: () => number
  /** Imported once per isolate. */
  signingKeys: () => Promise<SigningKey[]>
  /** Imported once per isolate. */
  secretKeys: () => Promise<SecretKeys>
  /** Hosts whose URLs are their owners' secrets: these need no proof. */
  trustedHosts: ReadonlySet<string>
  /** Our own host, to which nothing is sent. */
  apiHost: string
  /** Nudges for endpoints by the queue. */
  nudgeNow: (nudges: readonly string[]) => Promise<void>
  /** Says when attempts are due later. */
  wakeBy: WakeBy
  /** What the Clock is told about runs that may be cut off. */
  leases: Leases
  /** Told of secrets that do not open. */
  alert?: Alert
}
