import type { Cred } from '../../../schema/amounts.ts'
import type { Announce } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../../events/outbox/nudge.ts'
import type { Signer } from '../../keys/signer.ts'
import type { Alert } from '../../runtime/alert.ts'
import type { Address } from '../../solana/address.ts'
import type { Rpc } from '../../solana/rpc.ts'

/** What is set for all payments for requests. */
export type FacilitatorSettings = {
  /** X402_NETWORK: the CAIP-2 id that is advertised. */
  network: string
  /** X402_MAX_FEE: lamports of SOL. */
  maxFee: bigint
  /** X402_FEE, in CRED's smallest units, and X402_CRED_PER_SOL: what an owner's credit pays for a payment. */
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
  /** The key that the requirements name, if it is one of ours. */
  feePayer: Signer
  settings: FacilitatorSettings
  /** Counts the calls about a payment, and tells whether there are not too many of them. */
  isWithinRate: (messageHash: string) => Promise<boolean>
  alert: Alert
}

export type SettleDeps = VerifyDeps & {
  /** Before a payment is sent. */
  announce: Announce
  nudge: Nudge
  /** The time as it goes on: `now` is that of the call's beginning. */
  clock: () => Date
  /** Waits so many milliseconds. */
  wait: (ms: number) => Promise<void>
}

/** The key of a call, and its body, as the resource server sent it. */
export type FacilitatorCall = {
  key: { agentId: string; generation: number }
  paymentPayload: unknown
  paymentRequirements: unknown
}
