import type { Address, EncodedAccount } from '@solana/kit'

/** What an account held before a change, null where there was none. */
export interface Change {
  slot: bigint
  address: Address
  before: EncodedAccount | null
}

/**
 * What accounts held before the changes of recent slots. LiteSVM has one state, the newest; with this it is
 * known of every slot that is not final yet.
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

  /** The accounts that were changed after a slot, as they were at its end. */
  since(slot: bigint): Map<Address, EncodedAccount | null> {
    const before = new Map<Address, EncodedAccount | null>()
    for (const change of this.#changes)
      if (change.slot > slot && !before.has(change.address)) before.set(change.address, change.before)
    return before
  }

  /** Forgets the changes up to a slot: nobody asks for earlier states any more. */
  forgetUpTo(slot: bigint): void {
    if ((this.#changes[0]?.slot ?? slot + 1n) > slot) return
    this.#changes = this.#changes.filter((change) => change.slot > slot)
  }

  all(): Change[] {
    return this.#changes
  }
}
