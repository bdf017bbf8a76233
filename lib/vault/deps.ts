import type { Cred } from '../../schema/amounts.ts'
import type { ScheduleJob, ScheduleOrFail } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Notify } from '../events/outbox/notify.ts'
import type { Alert } from '../runtime/alert.ts'
import type { Rpc } from '../solana/rpc.ts'
import type { EscrowSettings, Keyring } from './keyring.ts'
import type { YieldLimits } from './stacking/admission.ts'

/** Dependencies of reading the chain for a vault. They include no key. */
export type SettleDeps = {
  db: Db
  rpc: Rpc
  escrow: EscrowSettings
  now: Date
  /**
   * Returns the current time. A balance is checked against a time after the answer of the chain. Against an
   * earlier time, yield claimed in between would look like an early payout.
   */
  clock(): Date
  notify: Notify
  schedule: ScheduleJob
  /** Alerts an operator when a job run trips the circuit breaker. */
  alert?: Alert
}

/** Dependencies of the vault's use cases. */
export type VaultDeps = SettleDeps & {
  /** Schedules the settlement job before a signed transaction is sent. */
  scheduleOrFail: ScheduleOrFail
  /** Imports the keys, only when a transaction is signed. */
  keyring: () => Promise<Keyring>
  /** Priority fee, in micro-lamports per compute unit. */
  computeUnitPrice: bigint
  limits: YieldLimits
  /** VAULT_MIN_STAKE: the smallest stake. */
  minStake: Cred
  /**
   * EMPTY_BUILDS_PER_ADDRESS: the most transactions per client address and hour that are built for wallets
   * without the tokens. Here: stacks, and openings of a vault, of wallets that lack the amount.
   */
  emptyBuildsPerAddress: number
  /** VAULT_STACKING: whether stacks are built at all. */
  isStackingOn: boolean
}
