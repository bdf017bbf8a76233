import type { Cred } from '../../schema/amounts.ts'
import type { Announce } from '../clock/wake.ts'
import type { Db } from '../db/connect.ts'
import type { Signers } from '../keys/signers.ts'
import type { Alert } from '../runtime/alert.ts'
import type { Rpc } from '../solana/rpc.ts'
import type { PaymentSettings } from './keys.ts'

/** What reading the chain for payments needs: no key at all. */
export type PaymentSettleDeps = {
  db: Db
  rpc: Rpc
  now: Date
  /** The protocol fee from which on a payer weighs one. */
  feeStep: Cred
  /** Told of collections that can't be proven, by the rounds. */
  alert?: Alert
}

/** What building transactions needs: addresses only. */
export type BuildDeps = {
  db: Db
  rpc: Rpc
  now: Date
  settings: PaymentSettings
  /** Priority fee, in micro-lamports per compute unit. */
  computeUnitPrice: bigint
  /** The protocol fee of collections, in basis points. */
  feeBps: number
  /** How many collectors a client's address may have built in an hour: that needs no tokens. */
  emptyBuildsPerAddress: number
}

/** What the relay needs. */
export type RelayDeps = {
  /** Before what was signed is sent. */
  announce: Announce
  db: Db
  rpc: Rpc
  now: Date
  /** The time as it is. */
  clock(): Date
  settings: PaymentSettings
  /** Imported only when something is signed. */
  signers: () => Promise<Signers>
}
