import type { Address, EncodedAccount } from '@solana/kit'

/** The state of an account before a change; null if it did not exist. */
export interface Change {
  slot: bigint
  address: Address
  before: EncodedAccount | null
}

/**
 * The states of accounts before the changes of recent slots. LiteSVM only has the newest state. Together they
 * give the state at every slot that is not final yet.
 */
export class RecentChanges {
  /** Oldest first. */
  #changes: Change[]

  constructor(changes: Change[] = []) {
    this.#changes = changes
  }

  note(change: Change): void {
    this.#changes.push(change)
  }

  /** Returns the accounts that changed after a slot, in their state at its end. */
  since(slot: bigint): Map<Address, EncodedAccount | null> {
    const before = new Map<Address, EncodedAccount | null>()
    for (const change of this.#changes)
      if (change.slot > slot && !before.has(change.address)) before.set(change.address, change.before)
    return before
  }

  /** Drops the changes up to a slot, since nobody reads earlier states. */
  forgetUpTo(slot: bigint): void {
    if ((this.#changes[0]?.slot ?? slot + 1n) > slot) return
    this.#changes = this.#changes.filter((change) => change.slot > slot)
  }

  all(): Change[] {
    return this.#changes
  }
}
