import type { Address, EncodedAccount } from '@solana/kit'
import { RECENT_BLOCKHASHES_SYSVAR } from '../../solana/recent-blockhashes.ts'
import type { Execution } from './execution.ts'
import { recentBlockhashesAccount } from './recent-blockhashes.ts'
import { BLOCKHASH_AGE_BLOCKS, blockHeightOf, type EpochInfo, FIRST_SLOT } from './slots.ts'
import type { SignedTransaction } from './transaction.ts'

/** The options of a simulation: `anyBlockhash` skips the check of the blockhash. */
export interface SimulationMode {
  verifySignatures: boolean
  anyBlockhash: boolean
}

/** The ledger, as far as a bank reads it. */
interface Source {
  account(address: Address): EncodedAccount | null
  accountsOf(program: Address): EncodedAccount[]
  decimalsOf(mint: Address): number | null
  blockhashOf(slot: bigint): string
  slotOfBlockhash(blockhash: string, current: bigint): bigint | undefined
  epochInfoAt(slot: bigint): EpochInfo
  simulateAt(
    bank: Bank,
    transaction: SignedTransaction,
    mode: SimulationMode,
  ): { execution: Execution; accounts: EncodedAccount[] }
}

/**
 * The chain at the end of a slot. Like a validator, the node reads an answer from the bank of the commitment
 * that the call asks for.
 */
export class Bank {
  readonly slot: bigint
  /** The accounts that have changed since, in their former state. */
  readonly before: ReadonlyMap<Address, EncodedAccount | null>
  readonly #source: Source

  constructor(source: Source, slot: bigint, before: ReadonlyMap<Address, EncodedAccount | null>) {
    this.#source = source
    this.slot = slot
    this.before = before
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.slot)
  }

  get epochInfo(): EpochInfo {
    return this.#source.epochInfoAt(this.slot)
  }

  /** The newest blockhash and the last block height at which a transaction with it can land. */
  get latestBlockhash(): { blockhash: string; lastValidBlockHeight: bigint } {
    return {
      blockhash: this.#source.blockhashOf(this.slot),
      lastValidBlockHeight: this.blockHeight + BLOCKHASH_AGE_BLOCKS,
    }
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#source.slotOfBlockhash(blockhash, this.slot) !== undefined
  }

  account(address: Address): EncodedAccount | null {
    if (address === (RECENT_BLOCKHASHES_SYSVAR as string)) return this.#recentBlockhashes()
    const before = this.before.get(address)
    return before === undefined ? this.#source.account(address) : before
  }

  #recentBlockhashes(): EncodedAccount {
    const oldest = this.slot - BLOCKHASH_AGE_BLOCKS + 1n
    const blockhashes: string[] = []
    for (let slot = this.slot; slot >= oldest && slot >= FIRST_SLOT; slot -= 1n)
      blockhashes.push(this.#source.blockhashOf(slot))
    return recentBlockhashesAccount(blockhashes)
  }

  accountsOf(program: Address): EncodedAccount[] {
    const unchanged = this.#source.accountsOf(program).filter(({ address }) => !this.before.has(address))
    const changed = [...this.before.values()].filter((account) => account?.programAddress === program)
    return [...unchanged, ...changed.filter((account) => account !== null)]
  }

  /** Returns a mint's decimals, which never change, or null if the address has no mint. */
  decimalsOf(mint: Address): number | null {
    return this.#source.decimalsOf(mint)
  }

  /** Runs a transaction without landing it. */
  simulate(transaction: SignedTransaction, mode: SimulationMode) {
    return this.#source.simulateAt(this, transaction, mode)
  }
}
