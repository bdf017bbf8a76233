import type { Cred } from '../../schema/amounts.ts'
import type { Announce, WakeBy } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import type { Alert } from '../runtime/alert.ts'
import type { Rpc } from '../solana/rpc.ts'
import type { EscrowSettings, Keyring } from './keyring.ts'
import type { YieldLimits } from './stacking/admission.ts'

/** What reading the chain for a vault needs: no key at all. */
export type SettleDeps = {
  db: Db
  rpc: Rpc
  escrow: EscrowSettings
  now: Date
  /**
   * The time as it is. A balance is judged by a time taken after the chain has answered: by an earlier one,
   * yield claimed in between would look as if it had been paid out early.
   */
  clock(): Date
  nudge: Nudge
  wakeBy: WakeBy
  /** Told of the breaker, by the rounds. */
  alert?: Alert
}

/** What the vault's use cases need. */
export type VaultDeps = SettleDeps & {
  /** Before what was signed is sent. */
  announce: Announce
  /** Imported only when something is signed. */
  keyring: () => Promise<Keyring>
  /** Priority fee, in micro-lamports per compute unit. */
  computeUnitPrice: bigint
  limits: YieldLimits
  /** VAULT_MIN_STAKE: the least that is staked at once. */
  minStake: Cred
  /** How often in an hour a client's address may have a stake built for a wallet that lacks the amount. */
  emptyBuildsPerAddress: number
  /** VAULT_STACKING: whether stacks are built at all. */
  isStackingOn: boolean
}
