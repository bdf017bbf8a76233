import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Ledger, type LedgerState } from './ledger.ts'
import { fundFaucet } from './sending.ts'
import type { TokenProgram } from './svm.ts'

/** The clock of the whole local platform: `now()` in ms since 1970, the travelled offset included. */
export interface ChainClock {
  now(): number
  travelTo(ms: number): Promise<void> | void
}

export interface ChainOptions {
  clock: ChainClock
  /** The folder of the chain's snapshot; by default the chain is in memory. */
  folder?: string
  /** The Token program of a new chain; by default p-token, as on mainnet. */
  tokenProgram?: TokenProgram | undefined
  /** Called after the chain has moved to a time (ms since 1970), so that others can follow. */
  onTravel?: (ms: number) => void | Promise<void>
}

/** An open chain, for RPC methods, subscriptions and the server. */
export interface Chain {
  ledger: Ledger
  clock: ChainClock
  /**
   * Moves clock and chain forward to a time, ms since 1970.
   * @throws RangeError for a time in the past
   */
  travelTo(ms: number): Promise<void>
  /** Writes pending changes. Call it once, at the end. */
  close(): Promise<void>
}

/**
 * Opens the chain of a folder, or starts a new one.
 * @throws Error that names the snapshot's file if it can't be read
 */
export async function openChain(options: ChainOptions): Promise<Chain> {
  const { clock, folder, tokenProgram, onTravel } = options
  if (folder) await mkdir(folder, { recursive: true })
  const ledger = (folder && (await restoreLedger(folder))) || (await newLedger(clock.now(), tokenProgram))
  // If the clock's offset was lost, the chain would stop until time catches up. So move the clock instead.
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

/** Changes within this time are written together. */
const DEBOUNCE_MS = 200
const FILE = 'chain.snapshot'
const FORMAT = 2

/**
 * Reads the ledger of a folder; null if there is none.
 * @throws Error that names the file if it is not a snapshot of this format
 */
async function restoreLedger(folder: string): Promise<Ledger | null> {
  const file = join(folder, FILE)
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!bytes) return null
  try {
    const content: { format: number; state: LedgerState } = deserialize(bytes)
    if (content.format !== FORMAT) throw new Error(`format ${content.format} instead of ${FORMAT}`)
    return Ledger.restore(content.state)
  } catch (cause) {
    throw new Error(`${file} is not a snapshot of the local chain: delete it to start a new chain`, { cause })
  }
}

/**
 * Writes a ledger to its folder after each change, completely and atomically: one file, through a temporary
 * one.
 */
class SnapshotWriter {
  readonly #ledger: Ledger
  readonly #folder: string
  readonly #stopListening: () => void
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(ledger: Ledger, folder: string) {
    this.#ledger = ledger
    this.#folder = folder
    this.#stopListening = ledger.onChange(() => this.schedule())
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#write().catch((error) => console.error('local chain: snapshot not written:', error))
    }, DEBOUNCE_MS)
  }

  /** @throws if the last state can't be written */
  async close(): Promise<void> {
    this.#stopListening()
    await this.#write()
  }

  /** Writes one state after the other, so that two never share the temporary file. */
  #write(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const write = async () => {
      const temporary = join(this.#folder, `${FILE}.tmp`)
      await writeFile(temporary, serialize({ format: FORMAT, state: this.#ledger.state() }))
      await rename(temporary, join(this.#folder, FILE))
    }
    this.#writing = this.#writing.catch(() => undefined).then(write)
    return this.#writing
  }
}
