import type { Leases, ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { SigningKey } from '../../keys/signing-key.ts'
import type { Alert } from '../../runtime/alert.ts'
import type { SecretKeys } from '../secrets/secrets.ts'

/** Dependencies of delivering. */
export type DeliverDeps = {
  db: Db
  /** Returns the time: it is read before and after attempts, which take time. */
  clock: () => Date
  /** A stopwatch, in milliseconds, for the duration of an answer. */
  elapsed: () => number
  random: () => number
  /** Imported once per isolate. */
  signingKeys: () => Promise<SigningKey[]>
  /** Imported once per isolate. */
  secretKeys: () => Promise<SecretKeys>
  /** Hosts whose URLs are their owners' secrets: they need no proof. */
  trustedHosts: ReadonlySet<string>
  /** The host of this service, to which nothing is sent. */
  apiHost: string
  /** Enqueues endpoints on the deliveries queue, and notifies the live Worker of wallets. */
  enqueue: (toNotify: readonly string[]) => Promise<void>
  /** Schedules later attempts. */
  schedule: ScheduleJob
  /** Tells the Clock when a lease begins and ends, since a run may be cut off. */
  leases: Leases
  /** Alerts about secrets that can't be decrypted. */
  alert?: Alert
}
