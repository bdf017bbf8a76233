import type { Address } from '@solana/kit'
import type { Landed } from './execution.ts'

/** The number of transactions in the history; the oldest are dropped first. */
const CAPACITY = 10_000

/** The landed transactions of a chain, oldest first. */
export class History {
  readonly #bySignature = new Map<string, Landed>()
  readonly #byMessage = new Map<string, Landed>()

  constructor(landed: Iterable<Landed> = []) {
    for (const one of landed) this.add(one)
  }

  add(landed: Landed): void {
    this.#bySignature.set(landed.signature, landed)
    this.#byMessage.set(landed.messageHash, landed)
    if (this.#bySignature.size <= CAPACITY) return
    for (const oldest of this.#bySignature.values()) {
      this.#bySignature.delete(oldest.signature)
      if (this.#byMessage.get(oldest.messageHash) === oldest) this.#byMessage.delete(oldest.messageHash)
      return
    }
  }

  get(signature: string): Landed | undefined {
    return this.#bySignature.get(signature)
  }

  /** Returns the last landed transaction with this message. Two may differ in their signatures. */
  ofMessage(hash: string): Landed | undefined {
    return this.#byMessage.get(hash)
  }

  all(): Landed[] {
    return [...this.#bySignature.values()]
  }

  /** Returns the transactions that have the account among their keys, newest first. */
  of(account: Address): Landed[] {
    return this.all()
      .filter(({ keys }) => keys.includes(account))
      .reverse()
  }
}
