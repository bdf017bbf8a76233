import type { Cred } from '../../../schema/amounts.ts'
import type { ScheduleJob, ScheduleOrFail } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Alert } from '../../runtime/alert.ts'
import type { Address } from '../../solana/address.ts'
import type { Rpc } from '../../solana/rpc.ts'

/** The settings for all payments for requests. */
export type FacilitatorSettings = {
  /** X402_NETWORK: the advertised CAIP-2 id. */
  network: string
  /** X402_MAX_FEE: lamports of SOL. */
  maxFee: bigint
  /** X402_FEE, in CRED's smallest units, and X402_CRED_PER_SOL: they set the debit of an owner's credit. */
  fee: bigint
  credPerSol: bigint
  /** X402_SOL_PER_DAY: lamports of SOL. */
  feesPerDay: bigint
  /** VAULT_MINT, PROTOCOL_FEE_BPS and FEE_STEP: payments in CRED count for reputations. */
  mint: Address
  feeBps: number
  feeStep: Cred
}

export type VerifyDeps = {
  db: Db
  rpc: Rpc
  now: Date
  /** The key that the requirements name, or the newest one if this service does not have that key. */
  feePayer: Signer
  settings: FacilitatorSettings
  /** Counts a call about a payment, and returns whether it is within the rate limit. */
  isWithinRate: (messageHash: string) => Promise<boolean>
  alert: Alert
  notify: Notify
}

export type SettleDeps = VerifyDeps & {
  /** Schedules a later check of a payment before it is sent. */
  scheduleOrFail: ScheduleOrFail
  /** Schedules the first probe of a new route. */
  schedule: ScheduleJob
  /** Returns the present time; `now` is the time when the call began. */
  clock: () => Date
  /** Waits for a number of milliseconds. */
  wait: (ms: number) => Promise<void>
}

/** The key of a call, and its body as the resource server sent it. */
export type FacilitatorCall = {
  key: { agentId: string; keyVersion: number }
  paymentPayload: unknown
  paymentRequirements: unknown
}
