import { expect } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import * as postgres from '../../lib/db/functions.ts'
import { importSigner, type Signer } from '../../lib/keys/signer.ts'
import type { Signers } from '../../lib/keys/signers.ts'
import type { Clock } from '../../lib/local/clock.ts'
import { discoverDueBudgets } from '../../lib/payments/budgets/budget-discovery.ts'
import { fundBudget } from '../../lib/payments/budgets/budget-fund.ts'
import { withdrawBudget } from '../../lib/payments/budgets/budget-withdraw.ts'
import { budgetAccount, budgetState, collectibleOf } from '../../lib/payments/chain/budget-account.ts'
import { collect } from '../../lib/payments/collections/collect.ts'
import { openCollector } from '../../lib/payments/collections/collector-open.ts'
import { collectorsOf, keyVersionsBy } from '../../lib/payments/guards.ts'
import { type PaymentSettings, treasuryOf } from '../../lib/payments/keys.ts'
import { settleDueTransactions } from '../../lib/payments/settlement/job-run.ts'
import type { BuiltPayment } from '../../lib/payments/transactions/building.ts'
import { relayPayment } from '../../lib/payments/transactions/relay.ts'
import { protocolFee } from '../../lib/reputation/counterparties/rules.ts'
import type { Address } from '../../lib/solana/address.ts'
import { compileMessage } from '../../lib/solana/message.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { revoke, transferChecked } from '../../lib/solana/programs/token.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import { decodeTokenAccount } from '../../lib/solana/token-state.ts'
import { decodeTransaction, encodeTransaction, SIGNATURE_BYTES } from '../../lib/solana/transaction.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { DrizzleDb } from './database.ts'
import { createSecretKey, signAll } from './keys.ts'
import { expectPaymentMonths } from './payment-months.ts'
import { hiredAgent } from './payments.ts'
import { signAgain } from './signatures.ts'
import { endHire, recordDueHires } from './stored-agents.ts'

/*
 * A model of an owner and some hirers, with actions in any order, and the invariants after each step. The
 * chain is the real Token program, the database a real Postgres, and the code is the Workers' own.
 */

/** An action and its party. Numbers are taken modulo the number of things. */
export type Step =
  | { kind: 'charge'; hirer: number; amount: bigint }
  | { kind: 'void'; charge: number }
  | { kind: 'fund'; hirer: number; amount: bigint }
  | { kind: 'withdraw'; hirer: number; leaveOpen: boolean }
  | { kind: 'collect'; hirer: number | undefined }
  /** `back`: how many built before the last one; `answer`: the fate of the sent transaction. */
  | { kind: 'relay'; back: number; answer: 'arrives' | 'lost before' | 'lost after' }
  /** Sends a cosigned and lost transaction past the service, with another signature of the same message. */
  | { kind: 'leak'; back: number }
  /** The wallet sends its built transaction itself, without the relay. */
  | { kind: 'alone'; back: number }
  | { kind: 'revoke'; hirer: number }
  | { kind: 'drain'; hirer: number; amount: bigint }
  | { kind: 'end'; hirer: number }
  | { kind: 'pass'; ms: number }
  | { kind: 'settle' }

const START_CRED = 10_000n
const FEE_BPS = 130

/** What all worlds of one test share: a database and a chain. */
export type Ground = {
  db: DrizzleDb
  clock: Clock
  rpc: Rpc
  settings: PaymentSettings
  signers: () => Promise<Signers>
  /** Gives a wallet SOL, and as much CRED. */
  give(wallet: Wallet, cred: bigint): Promise<void>
}

type Party = { key: Uint8Array; signer: Signer; wallet: Wallet; tokens: Address }
type Hirer = Party & { hire: Awaited<ReturnType<typeof hiredAgent>> }
type Built = BuiltPayment & { by: Party }

/** Balances in CRED. Each hirer has a wallet and a budget account, with the part that may be collected. */
type Seen = {
  owned: bigint
  treasury: bigint
  budgets: { address: Address | undefined; tokens: bigint; balance: bigint; collectible: bigint }[]
}

export class World {
  readonly #ground: Ground
  readonly #owner: Party
  readonly #hirers: Hirer[]
  readonly #treasury: Address
  /** The balance of the chain's treasury at the beginning. */
  readonly #treasuryBefore: bigint
  readonly #built: Built[] = []
  /** Transactions that were cosigned and did not reach the network. */
  readonly #lost: { by: Party; transaction: string }[] = []
  #seen: Seen | undefined
  /** How often each kind of step has had an effect. */
  readonly done = new Map<string, number>()

  private constructor(ground: Ground, owner: Party, hirers: Hirer[], treasury: Address, before: bigint) {
    this.#ground = ground
    this.#owner = owner
    this.#hirers = hirers
    this.#treasury = treasury
    this.#treasuryBefore = before
  }

  static async create(ground: Ground, count: number): Promise<World> {
    const owner = await newParty(ground, 0n)
    const hirers: Hirer[] = []
    for (let i = 0; i < count; i += 1) {
      const party = await newParty(ground, START_CRED)
      const terms = { budgetLimit: 3_000n, autoRenew: i % 2 === 0, termDays: 1 }
      const hiredAt = new Date(ground.clock.now())
      const hire = await hiredAgent(ground.db, {
        ...terms,
        hiredAt,
        owner: owner.wallet,
        hirer: party.wallet,
      })
      hirers.push({ ...party, hire })
    }
    const treasury = await treasuryOf(ground.settings)
    const [before = 0n] = await balancesOf(ground.rpc, [treasury])
    const world = new World(ground, owner, hirers, treasury, before)
    const built = await openCollector(world.#deps(), owner.wallet, 'anywhere')
    await world.#relay({ ...built, by: owner }, 'arrives')
    await world.run({ kind: 'settle' })
    return world
  }

  /** Does a step, and checks that no account pays more by it than it had allowed. */
  async run(step: Step): Promise<void> {
    const before = await this.#seenNow()
    const outcome = await this.#do(step).catch((error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    })
    const label = outcome === undefined ? step.kind : `${step.kind}: ${outcome}`
    this.done.set(label, (this.done.get(label) ?? 0) + 1)
    this.#seen = await this.#observe()
    for (const [index, { balance, collectible, tokens }] of before.budgets.entries()) {
      const now = this.#seen.budgets[index]
      if (!now) continue
      // A sum that has left the account and has not come to its hirer was collected.
      const collected = balance + tokens - (now.balance + now.tokens)
      expect(collected, JSON.stringify(step, printable)).toBeLessThanOrEqual(collectible)
      expect(collected, JSON.stringify(step, printable)).toBeGreaterThanOrEqual(0n)
    }
  }

  async #do(step: Step): Promise<string | undefined> {
    const { db } = this.#ground
    const deps = this.#deps()
    switch (step.kind) {
      case 'charge': {
        const result = await this.#hirer(step.hirer).hire.charge(deps.now, { units: step.amount })
        return result instanceof ApiError ? result.code : undefined
      }
      case 'void': {
        const ids = await this.#charges()
        const row = ids[step.charge % Math.max(ids.length, 1)]
        const hirer = row && this.#hirers.find(({ hire }) => hire.id === row.hireId)
        if (!row || !hirer) return 'none'
        const result = await hirer.hire.void(deps.now, row.id)
        return result instanceof ApiError ? result.code : undefined
      }
      case 'fund': {
        const by = this.#hirer(step.hirer)
        const { amount } = step
        this.#built.push({ ...(await fundBudget(deps, by.wallet, { hireId: by.hire.id, amount })), by })
        return undefined
      }
      case 'withdraw': {
        const by = this.#hirer(step.hirer)
        const { leaveOpen } = step
        this.#built.push({
          ...(await withdrawBudget(deps, by.wallet, { hireId: by.hire.id, leaveOpen })),
          by,
        })
        return undefined
      }
      case 'collect': {
        const hireId = step.hirer === undefined ? undefined : this.#hirer(step.hirer).hire.id
        const by = this.#owner
        this.#built.push({ ...(await collect({ ...deps, notify: () => {} }, by.wallet, { hireId })), by })
        return undefined
      }
      case 'relay': {
        const built = this.#built.at(-1 - (step.back % Math.max(this.#built.length, 1)))
        return built ? this.#relay(built, step.answer) : 'none'
      }
      case 'leak': {
        const lost = this.#lost.at(-1 - (step.back % Math.max(this.#lost.length, 1)))
        return lost ? this.#leak(lost) : 'none'
      }
      case 'alone': {
        const built = this.#built.at(-1 - (step.back % Math.max(this.#built.length, 1)))
        return built && built.kind !== 'collect' ? this.#sendAlone(built) : 'none'
      }
      case 'revoke': {
        const by = this.#hirer(step.hirer)
        const address = await this.#addressOf(by)
        return address ? this.#perform(by, [revoke(address, { owner: by.signer.address })]) : 'none'
      }
      case 'drain': {
        const by = this.#hirer(step.hirer)
        const source = await this.#addressOf(by)
        if (!source) return 'none'
        const { mint } = this.#ground.settings
        const transfer = { source, mint, destination: by.tokens, amount: step.amount, decimals: 9 }
        return this.#perform(by, [transferChecked(transfer, { owner: by.signer.address })])
      }
      case 'end': {
        const { wallet, hire } = this.#hirer(step.hirer)
        await endHire(db, { id: hire.id, wallet, now: deps.now })
        return undefined
      }
      case 'pass':
        await this.#ground.clock.travelTo(this.#ground.clock.now() + step.ms)
        return undefined
      case 'settle':
        await recordDueHires(db, deps.now, 100)
        await postgres.expireUnsignedPayments.call(db, {
          builtBy: deadlinePassed(deps.now),
          now: deps.now,
          limit: 100,
        })
        await db.$client.query('update payment_intents set due_at = asked_at where due_at is not null')
        await db.$client.query("update hires set seek_at = 'epoch' where seek_at is not null")
        await settleDueTransactions(deps)
        await discoverDueBudgets({ ...deps, notify: () => {} })
        return undefined
    }
  }

  async #relay(built: Built, answer: 'arrives' | 'lost before' | 'lost after'): Promise<string | undefined> {
    const { by, id } = built
    const transaction = await signAll(built.transaction, [by.signer.address], [by.signer])
    const { rpc } = this.#ground
    const send: Rpc['send'] = async (signed) => {
      if (answer === 'lost before') this.#lost.push({ by, transaction: signed })
      const sent = answer === 'lost before' ? undefined : await rpc.send(signed)
      if (sent && answer === 'arrives') return sent
      throw new ApiError('dependency_unavailable', 'lost')
    }
    const { clock } = this.#ground
    const announced = { scheduleOrFail: () => Promise.resolve(), clock: () => new Date(clock.now()) }
    await relayPayment({ ...this.#deps(), ...announced, rpc: { ...rpc, send } }, by.wallet, {
      id,
      transaction,
    })
    return undefined
  }

  async #sendAlone({ by, transaction }: Built): Promise<string | undefined> {
    const sent = await this.#ground.rpc.send(await signAll(transaction, [by.signer.address], [by.signer]))
    return 'refused' in sent ? sent.refused.kind : undefined
  }

  async #leak({ by, transaction }: { by: Party; transaction: string }): Promise<string | undefined> {
    const decoded = decodeTransaction(transaction)
    if (!decoded) throw new Error('no transaction')
    const { message } = decoded
    const signatures = [signAgain(by.key, message), ...decoded.signatures.slice(1)]
    const sent = await this.#ground.rpc.send(encodeTransaction({ signatures, message }))
    return 'refused' in sent ? sent.refused.kind : undefined
  }

  /** Sends a transaction that the service knows nothing of. */
  async #perform(by: Party, instructions: Parameters<typeof compileMessage>[1]): Promise<string | undefined> {
    const { blockhash } = await this.#ground.rpc.latestBlockhash()
    const { bytes, signers } = compileMessage(by.signer.address, instructions, blockhash)
    const empty = { signatures: signers.map(() => new Uint8Array(SIGNATURE_BYTES)), message: bytes }
    const sent = await this.#ground.rpc.send(await signAll(encodeTransaction(empty), signers, [by.signer]))
    return 'refused' in sent ? sent.refused.kind : undefined
  }

  /** What must be true at any time. */
  async check(): Promise<void> {
    const { owned, treasury, budgets } = await this.#seenNow()
    const fees = treasury - this.#treasuryBefore
    const inBudgets = budgets.reduce((sum, { balance }) => sum + balance, 0n)
    const inWallets = budgets.reduce((sum, { tokens }) => sum + tokens, 0n)
    // No lamport is made or lost.
    expect(owned + fees + inBudgets + inWallets).toBe(START_CRED * BigInt(this.#hirers.length))
    const rows = await this.#charges()
    for (const [index, { hire }] of this.#hirers.entries()) {
      const charges = rows.filter(({ hireId }) => hireId === hire.id)
      const total = (of: (row: (typeof charges)[number]) => boolean) =>
        charges.filter(of).reduce((sum, { amount }) => sum + amount, 0n)
      const { balance = 0n, tokens = 0n } = budgets[index] ?? {}
      const paid = START_CRED - balance - tokens
      // No charge is paid twice, or though it was voided: what has left is, or may be, recorded as paid.
      const recorded = total(({ status }) => status === 'collected')
      const mayBe = total(({ status, collectionId }) => status === 'recorded' && collectionId !== null)
      expect(paid).toBeGreaterThanOrEqual(recorded)
      expect(paid).toBeLessThanOrEqual(recorded + mayBe)
    }
  }

  /** Lets everything that is open end, and checks that the books then agree with the chain to the lamport. */
  async finish(): Promise<void> {
    await this.run({ kind: 'pass', ms: 400_000 })
    await this.run({ kind: 'settle' })
    await this.check()
    const rows = await this.#charges()
    expect(rows.filter(({ status, collectionId }) => status === 'recorded' && collectionId)).toEqual([])
    const collected = rows.filter(({ status }) => status === 'collected')
    const { owned, treasury } = await this.#seenNow()
    const fees = collected.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
    const amounts = collected.reduce((sum, { amount }) => sum + amount, 0n)
    expect(treasury - this.#treasuryBefore).toBe(fees)
    expect(owned).toBe(amounts - fees)
    const agentIds = this.#hirers.map(({ hire }) => hire.agentId)
    await expectPaymentMonths(this.#ground.db, agentIds)
    // Of each account in each collection the fee is rounded up once.
    for (const together of Map.groupBy(collected, (row) => `${row.collectionId} ${row.hireId}`).values()) {
      const amount = together.reduce((sum, row) => sum + row.amount, 0n)
      const fee = together.reduce((sum, row) => sum + (row.fee ?? 0n), 0n)
      expect(fee).toBe(protocolFee(amount, FEE_BPS))
    }
  }

  #deps() {
    const { db, rpc, clock, settings, signers } = this.#ground
    const now = new Date(clock.now())
    const fees = { feeBps: FEE_BPS, feeStep: cred(100n) }
    return {
      db,
      rpc,
      now,
      settings,
      signers,
      computeUnitPrice: 1_000n,
      emptyBuildsPerAddress: 1_000,
      ...fees,
    }
  }

  #hirer(index: number): Hirer {
    const hirer = this.#hirers[index % this.#hirers.length]
    if (!hirer) throw new Error('nobody hires')
    return hirer
  }

  async #addressOf(hirer: Hirer): Promise<Address | undefined> {
    const { budgets } = await this.#seenNow()
    return budgets[this.#hirers.indexOf(hirer)]?.address
  }

  /** What the chain showed last. */
  async #seenNow(): Promise<Seen> {
    this.#seen ??= await this.#observe()
    return this.#seen
  }

  /** Reads all accounts at once: who has how much, and what may be collected. */
  async #observe(): Promise<Seen> {
    const { rpc, settings } = this.#ground
    const collectors = keyVersionsBy(await collectorsOf(settings, this.#owner.wallet))
    const places = await Promise.all(
      this.#hirers.map(({ wallet, hire }) => budgetAccount(wallet, { hireId: hire.id, budgetNumber: 0 })),
    )
    const tokens = this.#hirers.map((hirer) => hirer.tokens)
    const { accounts } = await rpc.accounts([
      this.#owner.tokens,
      this.#treasury,
      ...tokens,
      ...places.map(({ address }) => address),
    ])
    const [owned, treasury, ...others] = accounts
    const amountIn = (account: (typeof accounts)[number]) => decodeTokenAccount(account)?.amount ?? 0n
    const budgets = this.#hirers.map((hirer, index) => {
      const found = others[tokens.length + index]
      const state = budgetState(found, { hirer: hirer.signer.address, mint: settings.mint, collectors })
      return {
        address: found && places[index]?.address,
        tokens: amountIn(others[index]),
        balance: state.kind === 'open' ? state.balance : 0n,
        collectible: collectibleOf(state),
      }
    })
    return { owned: amountIn(owned), treasury: amountIn(treasury), budgets }
  }

  async #charges() {
    const rows = await this.#rows<{
      id: string
      hire_id: string
      status: string
      amount: string
      fee: string | null
      collection_id: string | null
    }>('select * from charges where owner = $1 order by id', this.#owner.wallet)
    return rows.map((row) => ({
      id: row.id,
      hireId: row.hire_id,
      status: row.status,
      amount: BigInt(row.amount),
      fee: row.fee === null ? null : BigInt(row.fee),
      collectionId: row.collection_id,
    }))
  }

  async #rows<Row>(query: string, ...params: string[]): Promise<Row[]> {
    return (await this.#ground.db.$client.query(query, params)) as Row[]
  }
}

async function newParty({ give, settings }: Ground, cred: bigint): Promise<Party> {
  const key = createSecretKey()
  const signer = await importSigner(key)
  const wallet = signer.address as string as Wallet
  await give(wallet, cred)
  return { key, signer, wallet, tokens: await associatedTokenAddress(signer.address, settings.mint) }
}

async function balancesOf(rpc: Rpc, addresses: Address[]): Promise<bigint[]> {
  const { accounts } = await rpc.accounts(addresses)
  return accounts.map((account) => decodeTokenAccount(account)?.amount ?? 0n)
}

const printable = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
