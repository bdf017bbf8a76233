import { mkdir } from 'node:fs/promises'
import { fundFaucet } from './faucet.ts'
import { Ledger } from './ledger.ts'
import { restoreLedger, SnapshotWriter } from './snapshot.ts'
import type { TokenProgram } from './svm.ts'

/** The clock of the whole local platform: `now()` in ms since 1970, the travelled offset included. */
export interface ChainClock {
  now(): number
  travelTo(ms: number): Promise<void> | void
}

export interface ChainOptions {
  clock: ChainClock
  /** Where the chain is kept between runs; without it the chain lives in memory. */
  folder?: string
  /** What answers at the Token program's address of a new chain; p-token without it, as on mainnet. */
  tokenProgram?: TokenProgram | undefined
  /** Called after the chain has travelled to a moment (ms since 1970), so that others can follow. */
  onTravel?: (ms: number) => void | Promise<void>
}

/** An open chain, as RPC methods, subscriptions and server use it. */
export interface Chain {
  ledger: Ledger
  clock: ChainClock
  /**
   * Moves clock and chain forward to a moment, ms since 1970.
   * @throws RangeError for a moment that has passed
   */
  travelTo(ms: number): Promise<void>
  /** Writes what is not written yet. Call it once, last. */
  close(): Promise<void>
}

/**
 * Opens the chain kept in a folder, or starts a new one.
 * @throws Error naming the file when a snapshot is there but cannot be read
 */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const { clock, folder, tokenProgram, onTravel } = options
  if (folder) await mkdir(folder, { recursive: true })
  const ledger = (folder && (await restoreLedger(folder))) || (await newLedger(clock.now(), tokenProgram))
  // If the clock's offset was lost, the chain would stand still until time had caught up: the clock is moved
  // instead.
  if (clock.now() < ledger.slotStartMs) await clock.travelTo(ledger.slotStartMs)
  ledger.advance(clock.now())
  const writer = folder ? new SnapshotWriter(ledger, folder) : null
  return {
    ledger,
    clock,
    async travelTo(ms) {
      if (ms < clock.now()) throw new RangeError('time only moves forward')
      await clock.travelTo(ms)
      ledger.advance(clock.now())
      writer?.schedule()
      await onTravel?.(ms)
    },
    async close() {
      await writer?.close()
    },
  }
}

async function newLedger(nowMs: number, tokenProgram?: TokenProgram): Promise<Ledger> {
  const ledger = Ledger.create(nowMs, tokenProgram)
  await fundFaucet(ledger)
  return ledger
}
