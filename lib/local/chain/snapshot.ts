import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Ledger, type LedgerState } from './ledger.ts'

/** Changes within this time are written together. */
const DEBOUNCE_MS = 200
const FILE = 'chain.snapshot'
const FORMAT = 2

/**
 * The ledger kept in a folder, or null where there is none.
 * @throws Error naming the file when it cannot be read as a snapshot of this format
 */
export async function restoreLedger(folder: string): Promise<Ledger | null> {
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
    throw new Error(`${file} is not a snapshot of the local chain; remove it to begin a new chain`, { cause })
  }
}

/**
 * Writes a ledger to its folder after each change, whole and atomically: one file, by way of a temporary one.
 */
export class SnapshotWriter {
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

  /** @throws when the last state could not be written */
  async close(): Promise<void> {
    this.#stopListening()
    await this.#write()
  }

  /** Writes one after the other, never two at once into the same temporary file. */
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
