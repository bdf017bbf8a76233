import type { Cred } from '../../schema/amounts.ts'
import type { ScheduleOrFail } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Signers } from '../keys/signers.ts'
import type { Alert } from '../runtime/alert.ts'
import type { Rpc } from '../solana/rpc.ts'
import type { PaymentSettings } from './keys.ts'

/** Dependencies of reading the chain for payments. They include no key. */
export type PaymentSettleDeps = {
  db: Db
  rpc: Rpc
  now: Date
  /** FEE_STEP: the protocol fee from which a payer has weight one, the most, in its payee's reputation. */
  feeStep: Cred
  /** Alerts an operator when a search of the chain can't prove whether a collection or purchase landed. */
  alert?: Alert
}

/** Dependencies of building transactions. Of the keys they have the addresses only. */
export type BuildDeps = {
  db: Db
  rpc: Rpc
  now: Date
  settings: PaymentSettings
  /** Priority fee, in micro-lamports per compute unit. */
  computeUnitPrice: bigint
  /** The protocol fee of collections, in basis points. */
  feeBps: number
  /**
   * EMPTY_BUILDS_PER_ADDRESS: the most transactions per client address and hour that are built for wallets
   * without the tokens. Here: those that open a payout account. They count together with those of the vault
   * (lib/vault/deps.ts).
   */
  emptyBuildsPerAddress: number
}

/** Dependencies of the relay. */
export type RelayDeps = {
  /** Schedules the settlement job before a signed transaction is sent. */
  scheduleOrFail: ScheduleOrFail
  db: Db
  rpc: Rpc
  /** When the request began. It decides whether a deadline has passed. */
  now: Date
  /** Returns the current time, for the schedule: calls of the network may have taken seconds since `now`. */
  clock(): Date
  settings: PaymentSettings
  /** Imports the keys, only when a transaction is signed. */
  signers: () => Promise<Signers>
}
