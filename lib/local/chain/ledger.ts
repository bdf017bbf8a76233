import { randomBytes } from 'node:crypto'
import { type Address, type EncodedAccount, lamports } from '@solana/kit'
import { Clock, EpochSchedule, type LiteSVM } from 'litesvm'
import { decimalsOf, loadedBy } from './balances.ts'
import { Bank, type SimulationMode } from './bank.ts'
import { type Execution, type Landed, land, refused, simulate } from './execution.ts'
import type { Failure } from './failures.ts'
import { History } from './history.ts'
import { lighthouseStandIn } from './lighthouse.ts'
import { LIGHTHOUSE_PROGRAM, SYSTEM_PROGRAM } from './programs.ts'
import { type Change, RecentChanges } from './recent-changes.ts'
import {
  Blockhashes,
  blockHeightOf,
  epochInfoOf,
  FIRST_SLOT,
  finalSlotAt,
  SLOT_MS,
  SLOTS_PER_EPOCH,
  slotAt,
  unixTimeOf,
} from './slots.ts'
import { createSvm, type TokenProgram } from './svm.ts'
import { isWritable, type Message, type SignedTransaction } from './transaction.ts'

/** An account to write, as `setAccount` takes it. */
type AccountState = Omit<EncodedAccount, 'lamports'> & { lamports: bigint }

/** The whole state of a chain, as plain data, so that it can be written to a file. */
export interface LedgerState {
  accounts: AccountState[]
  /** Moment of block 0, ms since 1970. */
  genesisMs: number
  /** The chain's secret, from which genesis hash and blockhashes are derived. */
  seed: Uint8Array
  slot: bigint
  transactionCount: bigint
  landed: Landed[]
  /** Account changes that are not final yet. */
  changes: Change[]
}

/** The commitment of a read. A landed transaction is confirmed immediately, since there is one validator. */
export type Certainty = 'confirmed' | 'finalized'

/**
 * A Solana chain on LiteSVM. It adds moving slots and a clock, blockhashes that live 150 blocks, one landing
 * per message, a history, and finality 32 slots behind. Time comes from outside: call `advance` before
 * anything that depends on it.
 */
export class Ledger {
  readonly history: History
  readonly genesisMs: number
  readonly #seed: Uint8Array
  readonly #svm: LiteSVM
  readonly #blockhashes: Blockhashes
  readonly #listeners = new Set<(landed: Landed | null) => void>()
  /**
   * Every address that was ever written. LiteSVM can't list its accounts, and a snapshot needs these.
   */
  readonly #written = new Set<Address>()
  readonly #changes: RecentChanges
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
    for (const account of state.accounts) this.#put(account)
    this.#changes = new RecentChanges(state.changes)
  }

  /** Makes a new chain whose block 0 is at `nowMs`. */
  static create(nowMs: number, tokenProgram?: TokenProgram): Ledger {
    const genesisMs = Math.floor(nowMs)
    const seed = Uint8Array.from(randomBytes(32))
    const state = { genesisMs, seed, slot: FIRST_SLOT, transactionCount: 0n }
    const empty = { landed: [], accounts: [], changes: [] }
    return new Ledger({ ...state, ...empty }, tokenProgram)
  }

  /** @throws if an account of the state is invalid */
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
      changes: this.#changes.all(),
    }
  }

  /** Moves the chain forward to a time (ms since 1970); it never moves back. */
  advance(nowMs: number): void {
    const slot = slotAt(this.genesisMs, nowMs)
    if (slot <= this.#slot) return
    this.#moveTo(slot)
    this.#changes.forgetUpTo(this.finalSlot)
  }

  get slot(): bigint {
    return this.#slot
  }

  /** The newest slot that is final. */
  get finalSlot(): bigint {
    return finalSlotAt(this.#slot)
  }

  get blockHeight(): bigint {
    return blockHeightOf(this.#slot)
  }

  /** Returns the chain at this commitment. */
  bank(certainty: Certainty): Bank {
    if (certainty === 'confirmed') return this.newest
    return new Bank(this.#source, this.finalSlot, this.#changes.since(this.finalSlot))
  }

  get newest(): Bank {
    return new Bank(this.#source, this.#slot, new Map())
  }

  /** When the current slot began, ms since 1970. */
  get slotStartMs(): number {
    return this.genesisMs + Number(this.blockHeight) * SLOT_MS
  }

  get genesisHash(): string {
    return this.#blockhashes.of(0n)
  }

  account(address: Address): EncodedAccount | null {
    const account = this.#svm.getAccount(address)
    return account.exists && account.lamports > 0n ? account : null
  }

  rentExemptMinimum(bytes: bigint): bigint {
    return this.#svm.minimumBalanceForRentExemption(bytes)
  }

  /** Writes an account without any program's rules: for genesis and test controls only. */
  setAccount(account: AccountState): void {
    const { address } = account
    this.#changes.note({ slot: this.#slot, address, before: this.account(address) })
    this.#put(account)
    this.#publish(null)
  }

  /**
   * Lands a transaction in the current slot. If its execution fails, it lands with its failure and pays its
   * fee. Like a leader, it drops a transaction that can't pay, has landed before, or came too late.
   */
  submit(transaction: SignedTransaction): { landed: Landed } | { dropped: Failure } {
    const stale = this.#staleness(this.newest, transaction.message)
    if (stale) return { dropped: stale }
    const block = { slot: this.#slot, blockTime: unixTimeOf(this.genesisMs, this.#slot) }
    const before = writableBy(transaction.message, loadedBy(this.#svm, transaction.message).writable).map(
      (address) => ({ slot: this.#slot, address, before: this.account(address) }),
    )
    const result = land(this.#svm, transaction, block)
    if ('dropped' in result) return result
    this.history.add(result.landed)
    for (const change of before) this.#changes.note(change)
    for (const key of result.landed.keys) this.#written.add(key)
    this.#transactionCount++
    this.#publish(result.landed)
    return result
  }

  /**
   * Calls back after every change: with the landed transaction, or null after a test control. Returns a
   * function that ends this.
   */
  onChange(listener: (landed: Landed | null) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly #source = {
    account: (address: Address) => this.account(address),
    accountsOf: (program: Address): EncodedAccount[] => this.#svm.getProgramAccounts(program),
    decimalsOf: (mint: Address) => decimalsOf(this.#svm, mint),
    blockhashOf: (slot: bigint) => this.#blockhashes.of(slot),
    slotOfBlockhash: (blockhash: string, current: bigint) => this.#blockhashes.slotOf(blockhash, current),
    epochInfoAt: (slot: bigint) => epochInfoOf(slot, this.#transactionCount),
    simulateAt: (bank: Bank, transaction: SignedTransaction, mode: SimulationMode) =>
      this.#simulate(bank, transaction, mode),
  }

  #simulate(
    bank: Bank,
    transaction: SignedTransaction,
    { verifySignatures, anyBlockhash }: SimulationMode,
  ): { execution: Execution; accounts: EncodedAccount[] } {
    const failure = anyBlockhash ? null : this.#staleness(bank, transaction.message)
    if (failure) return { execution: refused(failure), accounts: [] }
    return this.#asAt(bank, () => simulate(this.#svm, transaction, verifySignatures))
  }

  /** Runs a function on the state of a bank, and restores the newest state. */
  #asAt<T>(bank: Bank, run: () => T): T {
    if (bank.slot === this.#slot) return run()
    const newest = [...bank.before.keys()].map((address) => [address, this.account(address)] as const)
    const show = (states: Iterable<readonly [Address, EncodedAccount | null]>) => {
      for (const [address, account] of states) this.#put(account ?? { ...ABSENT, address })
    }
    this.#setClock(bank.slot)
    show(bank.before)
    try {
      return run()
    } finally {
      show(newest)
      this.#setClock(this.#slot)
    }
  }

  #staleness(bank: Bank, message: Message): Failure | null {
    if (!bank.isBlockhashValid(message.blockhash)) return 'BlockhashNotFound'
    const landed = this.history.ofMessage(message.hash)
    return landed && landed.slot <= bank.slot ? 'AlreadyProcessed' : null
  }

  #put(account: AccountState): void {
    this.#svm.setAccount({ ...account, lamports: lamports(account.lamports) })
    this.#written.add(account.address)
  }

  #moveTo(slot: bigint): void {
    this.#slot = slot
    this.#setClock(slot)
  }

  #setClock(slot: bigint): void {
    const epoch = slot / SLOTS_PER_EPOCH
    const epochStart = epoch * SLOTS_PER_EPOCH
    const startedAt = unixTimeOf(this.genesisMs, epochStart < FIRST_SLOT ? FIRST_SLOT : epochStart)
    this.#svm.setClock(new Clock(slot, startedAt, epoch, epoch + 1n, unixTimeOf(this.genesisMs, slot)))
  }

  #publish(landed: Landed | null): void {
    for (const listener of this.#listeners) listener(landed)
  }
}

/** The state that removes an account from LiteSVM. */
const ABSENT = {
  lamports: 0n,
  programAddress: SYSTEM_PROGRAM,
  executable: false,
  space: 0n,
  data: new Uint8Array(),
}

/** Returns the accounts that a transaction may change. */
const writableBy = (message: Message, loaded: Address[]): Address[] => [
  ...message.staticKeys.filter((_, index) => isWritable(message, index)),
  ...loaded,
]

/** Returns false for programs and sysvars, which every new LiteSVM has. */
const isOfUsers = (account: AccountState) =>
  !account.executable && account.programAddress !== 'Sysvar1111111111111111111111111111111111111'
