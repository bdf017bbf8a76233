import { randomBytes } from 'node:crypto'
import { type Address, type EncodedAccount, lamports } from '@solana/kit'
import { Clock, EpochSchedule, type LiteSVM } from 'litesvm'
import { decimalsOf } from './balances.ts'
import { type Execution, refused, simulate } from './execution.ts'
import type { Failure } from './failures.ts'
import { History, type Landed } from './history.ts'
import { land } from './landing.ts'
import { lighthouseStandIn } from './lighthouse.ts'
import { LIGHTHOUSE_PROGRAM } from './programs.ts'
import {
  BLOCKHASH_AGE_BLOCKS,
  Blockhashes,
  blockHeightOf,
  type EpochInfo,
  epochInfoOf,
  FIRST_SLOT,
  SLOT_MS,
  SLOTS_PER_EPOCH,
  slotAt,
  unixTimeOf,
} from './slots.ts'
import { createSvm, type TokenProgram } from './svm.ts'
import type { Message, SignedTransaction } from './transaction.ts'

/** An account as it is written: what `setAccount` takes. */
type AccountState = Omit<EncodedAccount, 'lamports'> & { lamports: bigint }

/** The whole state of a chain, as plain data, so that it can be written to a file. */
export interface LedgerState {
  accounts: AccountState[]
  /** Moment of block 0, ms since 1970. */
  genesisMs: number
  /** The chain's own secret: its genesis hash and blockhashes come from it. */
  seed: Uint8Array
  slot: bigint
  transactionCount: bigint
  landed: Landed[]
}

/**
 * A Solana chain on LiteSVM, with what LiteSVM lacks: slots and a clock that move, blockhashes that live 150
 * blocks, one landing per message, and a history. Time comes from outside: call `advance` before anything
 * else that depends on it. Every landed transaction is final at once, since there is one validator only.
 */
export class Ledger {
  readonly history: History
  readonly genesisMs: number
  readonly #seed: Uint8Array
  readonly #svm: LiteSVM
  readonly #blockhashes: Blockhashes
  readonly #listeners = new Set<(landed: Landed | null) => void>()
  /**
   * Every address that was ever written to: LiteSVM can't list its accounts, and these are the ones to keep.
   */
  readonly #written = new Set<Address>()
  #slot: bigint
  #transactionCount: bigint

  private constructor(state: LedgerState, tokenProgram: TokenProgram = 'p-token') {
    const svm = createSvm(tokenProgram)
    svm.setEpochSchedule(new EpochSchedule(SLOTS_PER_EPOCH, SLOTS_PER_EPOCH, false, 0n, 0n))
    svm.addProgram(LIGHTHOUSE_PROGRAM, lighthouseStandIn())
    this.#svm = svm.withBlockhashCheck(false).withTransactionHistory(0n)
    this.history = new History(state.landed)
    this.genesisMs = state.genesisMs
    this.#seed = state.seed
    this.#blockhashes = new Blockhashes(state.seed)
    this.#transactionCount = state.transactionCount
    this.#slot = state.slot
    this.#moveTo(state.slot)
    for (const account of state.accounts) this.#write(account)
  }

  /** A new chain whose block 0 is at `nowMs`. */
  static create(nowMs: number, tokenProgram?: TokenProgram): Ledger {
    const genesisMs = Math.floor(nowMs)
    const seed = Uint8Array.from(randomBytes(32))
    const state = { genesisMs, seed, slot: FIRST_SLOT, transactionCount: 0n, landed: [], accounts: [] }
    return new Ledger(state, tokenProgram)
  }

  /** @throws when an account of the state is none */
  static restore(state: LedgerState): Ledger {
    return new Ledger(state)
  }

  state(): LedgerState {
    return {
      accounts: [...this.#written].flatMap((address) => this.account(address) ?? []).filter(isOfUsers),
      genesisMs: this.genesisMs,
      seed: this.#seed,
      slot: this.#slot,
      transactionCount: this.#transactionCount,
      landed: this.history.all(),
    }
  }

  /** Moves the chain to a moment (ms since 1970); it never moves back. */
  advance(nowMs: number): void {
    const slot = slotAt(this.genesisMs, nowMs)
    if (slot > this.#slot) this.#moveTo(slot)
  }

  get slot(): bigint {
    return this.#slot
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.#slot)
  }

  /** The moment at which the current slot began, ms since 1970. */
  get slotStartMs(): number {
    return this.genesisMs + Number(this.blockHeight) * SLOT_MS
  }

  get epochInfo(): EpochInfo {
    return epochInfoOf(this.#slot, this.#transactionCount)
  }

  get genesisHash(): string {
    return this.#blockhashes.of(0n)
  }

  /** The newest blockhash and the last block height at which a transaction with it can land. */
  get latestBlockhash(): { blockhash: string; lastValidBlockHeight: bigint } {
    return {
      blockhash: this.#blockhashes.of(this.#slot),
      lastValidBlockHeight: this.blockHeight + BLOCKHASH_AGE_BLOCKS,
    }
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#blockhashes.slotOf(blockhash, this.#slot) !== undefined
  }

  account(address: Address): EncodedAccount | null {
    const account = this.#svm.getAccount(address)
    return account.exists && account.lamports > 0n ? account : null
  }

  accountsOf(program: Address): EncodedAccount[] {
    return this.#svm.getProgramAccounts(program)
  }

  /** Decimals of a mint, or null where there is no mint at the address. */
  decimalsOf(mint: Address): number | null {
    return decimalsOf(this.#svm, mint)
  }

  rentExemptMinimum(bytes: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(bytes)
  }

  /** Writes an account without any program's rules: for genesis and cheat codes only. */
  setAccount(account: AccountState): void {
    this.#write(account)
    this.#tell(null)
  }

  /** Runs a transaction without landing it. With `anyBlockhash` its blockhash is not checked. */
  simulate(
    transaction: SignedTransaction,
    { verifySignatures, anyBlockhash }: { verifySignatures: boolean; anyBlockhash: boolean },
  ): { execution: Execution; accounts: EncodedAccount[] } {
    const failure = this.#staleness(transaction.message, anyBlockhash)
    if (failure) return { execution: refused(failure), accounts: [] }
    return simulate(this.#svm, transaction, verifySignatures)
  }

  /**
   * Lands a transaction in the current slot. One that fails in execution lands with its failure and pays its
   * fee; one that could not even pay, or has landed before, or came too late is dropped, as a leader drops
   * it.
   */
  submit(transaction: SignedTransaction): { landed: Landed } | { dropped: Failure } {
    const stale = this.#staleness(transaction.message, false)
    if (stale) return { dropped: stale }
    const block = { slot: this.#slot, blockTime: unixTimeOf(this.genesisMs, this.#slot) }
    const result = land(this.#svm, transaction, block)
    if ('dropped' in result) return result
    this.history.add(result.landed)
    for (const key of result.landed.keys) this.#written.add(key)
    this.#transactionCount++
    this.#tell(result.landed)
    return result
  }

  /**
   * Calls back after every change: with the transaction that landed, or null for a cheat. Returns a function
   * that ends it.
   */
  onChange(listener: (landed: Landed | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #staleness(message: Message, anyBlockhash: boolean): Failure | null {
    if (anyBlockhash) return null
    if (!this.isBlockhashValid(message.blockhash)) return 'BlockhashNotFound'
    return this.history.hasMessage(message.hash) ? 'AlreadyProcessed' : null
  }

  #write(account: AccountState): void {
    this.#svm.setAccount({ ...account, lamports: lamports(account.lamports) })
    this.#written.add(account.address)
  }

  #moveTo(slot: bigint): void {
    this.#slot = slot
    const epoch = slot / SLOTS_PER_EPOCH
    const epochStart = epoch * SLOTS_PER_EPOCH
    const startedAt = unixTimeOf(this.genesisMs, epochStart < FIRST_SLOT ? FIRST_SLOT : epochStart)
    this.#svm.setClock(new Clock(slot, startedAt, epoch, epoch + 1n, unixTimeOf(this.genesisMs, slot)))
  }

  #tell(landed: Landed | null): void {
    for (const listener of this.#listeners) listener(landed)
  }
}

/** Programs and sysvars are LiteSVM's own and come with every new one. */
const isOfUsers = (account: AccountState) =>
  !account.executable && account.programAddress !== 'Sysvar1111111111111111111111111111111111111'
