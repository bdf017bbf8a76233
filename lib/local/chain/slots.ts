import { createHash } from 'node:crypto'
import { base58 } from '@scure/base'

/** Wall time of one slot. */
export const SLOT_MS = 400

/** A blockhash is good for this many blocks after its own (MAX_PROCESSING_AGE of the runtime). */
export const BLOCKHASH_AGE_BLOCKS = 150n

/** The status cache of a validator: older signatures are found by searchTransactionHistory only. */
export const STATUS_CACHE_SLOTS = 300n

/** The delay of finality on a cluster: a block is final once 32 more were built on it. */
const FINALITY_SLOTS = 32n

/**
 * The slot of block 0. LiteSVM deploys its programs at this slot; an earlier clock would hide them. As on
 * every real cluster, slot and block height differ, so that code which mixes them up fails here first.
 */
export const FIRST_SLOT = 447_552_000n

export const SLOTS_PER_EPOCH = 432_000n

/** Returns the slot at a time; both times in ms since 1970. */
export function slotAt(genesisMs: number, nowMs: number): bigint {
  return FIRST_SLOT + BigInt(Math.max(0, Math.floor((nowMs - genesisMs) / SLOT_MS)))
}

/** Returns the newest final slot, given the newest slot. */
export function finalSlotAt(slot: bigint): bigint {
  const trailing = slot - FINALITY_SLOTS
  return trailing > FIRST_SLOT ? trailing : FIRST_SLOT
}

export function blockHeightOf(slot: bigint): bigint {
  return slot - FIRST_SLOT
}

/**
 * Returns the Unix seconds of a slot for the Clock sysvar and getBlockTime. It is the second in which the
 * slot ends, so the chain is never behind the time of a call or of time travel.
 */
export function unixTimeOf(genesisMs: number, slot: bigint): bigint {
  return BigInt(Math.floor((genesisMs + (Number(blockHeightOf(slot)) + 1) * SLOT_MS - 1) / 1000))
}

/** Result of getEpochInfo; epochs have no warm-up here. */
export interface EpochInfo {
  absoluteSlot: bigint
  blockHeight: bigint
  epoch: bigint
  slotIndex: bigint
  slotsInEpoch: bigint
  transactionCount: bigint
}

export function epochInfoOf(slot: bigint, transactionCount: bigint): EpochInfo {
  return {
    absoluteSlot: slot,
    blockHeight: blockHeightOf(slot),
    epoch: slot / SLOTS_PER_EPOCH,
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount,
  }
}

/**
 * The recent blockhashes of a chain. A blockhash is derived from the chain's seed and the slot, so nothing is
 * stored, and empty slots cost nothing.
 */
export class Blockhashes {
  readonly #seed: Uint8Array
  readonly #slots = new Map<string, bigint>()
  #newest = FIRST_SLOT - 1n

  constructor(seed: Uint8Array) {
    this.#seed = seed
  }

  /** Returns the blockhash of a slot, base58. */
  of(slot: bigint): string {
    return base58.encode(createHash('sha256').update(this.#seed).update(slot.toString()).digest())
  }

  /** Returns the slot of a blockhash, if it is valid in slot `current`, which may be the final one. */
  slotOf(blockhash: string, current: bigint): bigint | undefined {
    const oldest = current - BLOCKHASH_AGE_BLOCKS
    for (const [hash, slot] of this.#slots) {
      if (slot >= oldest - FINALITY_SLOTS) break
      this.#slots.delete(hash)
    }
    const first = this.#newest < oldest ? oldest : this.#newest + 1n
    for (let slot = first < FIRST_SLOT ? FIRST_SLOT : first; slot <= current; slot++) {
      this.#slots.set(this.of(slot), slot)
      this.#newest = slot
    }
    const slot = this.#slots.get(blockhash)
    return slot !== undefined && slot >= oldest && slot <= current ? slot : undefined
  }
}
