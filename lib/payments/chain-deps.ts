import type { Cred } from '../../schema/amounts.ts'
import type { RequireScheduled } from '../clock/wake.ts'
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
  /** The protocol fee that gives a payer a weight of one. */
  feeStep: Cred
  /** Alerts an operator when a search can't prove the outcome of a collection. */
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
  /** Collectors built per client address and hour. The limit is needed because they need no tokens. */
  emptyBuildsPerAddress: number
}

/** Dependencies of the relay. */
export type RelayDeps = {
  /** Schedules the settlement job before a signed transaction is sent. */
  ensureDue: RequireScheduled
  db: Db
  rpc: Rpc
  now: Date
  /** Returns the current time. */
  clock(): Date
  settings: PaymentSettings
  /** Imports the keys, only when a transaction is signed. */
  signers: () => Promise<Signers>
}
