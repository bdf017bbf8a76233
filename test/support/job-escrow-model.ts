import { expect } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import type { Outage } from '../../lib/clock/outages.ts'
import * as postgres from '../../lib/db/functions.ts'
import { importSigner, type Signer } from '../../lib/keys/signer.ts'
import type { Signers } from '../../lib/keys/signers.ts'
import type { Clock } from '../../lib/local/clock.ts'
import { openCollector } from '../../lib/payments/collections/collector-open.ts'
import { closeEscrows } from '../../lib/payments/jobs/escrows-close.ts'
import { collectJobs } from '../../lib/payments/jobs/job-collect.ts'
import { fundJob } from '../../lib/payments/jobs/job-fund.ts'
import { refundJob } from '../../lib/payments/jobs/job-refund.ts'
import { openRefundAccount } from '../../lib/payments/jobs/refund-account-open.ts'
import { type PaymentSettings, treasuryOf } from '../../lib/payments/keys.ts'
import { settleDueTransactions } from '../../lib/payments/settlement/job-run.ts'
import { recordOutcomes } from '../../lib/payments/settlement/outcome-batches.ts'
import type { BuiltPayment } from '../../lib/payments/transactions/building.ts'
import { findIntent } from '../../lib/payments/transactions/intent-queries.ts'
import { relayPayment } from '../../lib/payments/transactions/relay.ts'
import type { Address } from '../../lib/solana/address.ts'
import { compileMessage } from '../../lib/solana/message.ts'
import { associatedTokenAddress } from '../../lib/solana/programs/associated-token.ts'
import { transferChecked } from '../../lib/solana/programs/token.ts'
import type { Rpc } from '../../lib/solana/rpc.ts'
import { decodeTokenAccount } from '../../lib/solana/token-state.ts'
import { decodeTransaction, encodeTransaction, SIGNATURE_BYTES } from '../../lib/solana/transaction.ts'
import { deadlinePassed } from '../../lib/transactions/relay/limits.ts'
import { settleDeadline } from '../../lib/work/settle-deadline.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { DrizzleDb } from './database.ts'
import { accept, storeWorkingAgent, tryToPost } from './jobs.ts'
import { createSecretKey, signAll } from './keys.ts'
import { signAgain } from './signatures.ts'

/*
 * A model of one job's money: fundings, refunds and payouts in flight that get lost, land late, or are taken
 * for expired while they can still land, and gifts. The chain is the real Token program, the database a real
 * Postgres, and the code is the Workers' own.
 */

/** An action. `back`: how many came before the last one, modulo their number. */
export type Step =
  | { kind: 'fund' | 'refund' | 'collect' | 'close' | 'settle' | 'withdraw' }
  | { kind: 'relay'; back: number; answer: 'arrives' | 'lost before' | 'lost after' }
  /** Sends a cosigned and lost transaction past the service, with another signature of the same message. */
  | { kind: 'leak'; back: number }
  /** An operator takes a signed transaction for expired, rightly or not. */
  | { kind: 'assume'; back: number }
  /** Both sides agree on what the agent gets. */
  | { kind: 'split'; agentAmount: bigint }
  | { kind: 'gift'; amount: bigint }
  | { kind: 'pass'; ms: number }

export const PRICE = 1_000n
export const START_CRED = 10_000n
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
type Built = BuiltPayment & { by: Party }
type JobRow = {
  status: string
  escrow: Address | null
  agent_amount: string | null
  hirer_amount: string | null
  paid_at: Date | null
  refunded_at: Date | null
}

export class World {
  readonly #ground: Ground
  readonly #hirer: Party
  readonly #owner: Party
  readonly #jobId: string
  readonly #treasury: Address
  readonly #treasuryBefore: bigint
  readonly #built: Built[] = []
  readonly #lost: { by: Party; transaction: string }[] = []
  /** Gifts of others to the job's own escrow. */
  #gifts = 0n
  /** The outages that the Clock has noted. */
  outages: Outage[] = []
  /** The number of each kind's steps by outcome. */
  readonly done = new Map<string, number>()

  private constructor(
    ground: Ground,
    of: { hirer: Party; owner: Party; jobId: string; treasury: Address; before: bigint },
  ) {
    this.#ground = ground
    this.#hirer = of.hirer
    this.#owner = of.owner
    this.#jobId = of.jobId
    this.#treasury = of.treasury
    this.#treasuryBefore = of.before
  }

  /** Makes a job that was accepted, and the accounts of both sides. */
  static async create(ground: Ground): Promise<World> {
    const [hirer, owner] = [await newParty(ground, START_CRED), await newParty(ground, 0n)]
    const now = new Date(ground.clock.now())
    const { agentId } = await storeWorkingAgent(ground.db, now, { owner: owner.wallet })
    const order = { agentId, hirer: hirer.wallet, price: PRICE, minPrice: 1n, feeBps: FEE_BPS, now }
    await ground.db.$client.query('update job_terms set min_price = 1 where agent_id = $1', [agentId])
    const { id: jobId, outcome } = await tryToPost(ground.db, {
      ...{ ...order, judge: 'none', workMinutes: 43_200, reviewMinutes: 20_160 },
    })
    expect(outcome).toBe('recorded')
    expect((await accept(ground.db, { id: jobId, wallet: owner.wallet, now })).outcome).toBe('recorded')
    const treasury = await treasuryOf(ground.settings)
    const [before = 0n] = await balancesOf(ground.rpc, [treasury])
    const world = new World(ground, { hirer, owner, jobId, treasury, before })
    const deps = world.#deps()
    const opening = await openRefundAccount(deps, hirer.wallet, { jobId }, 'anywhere')
    await world.#relay({ ...opening, by: hirer }, 'arrives')
    await world.#relay({ ...(await openCollector(deps, owner.wallet, 'anywhere')), by: owner }, 'arrives')
    await world.run({ kind: 'settle' })
    return world
  }

  async run(step: Step): Promise<string | undefined> {
    const outcome = await this.#do(step).catch((error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    })
    const label = outcome === undefined ? step.kind : `${step.kind}: ${outcome}`
    this.done.set(label, (this.done.get(label) ?? 0) + 1)
    return outcome
  }

  async #do(step: Step): Promise<string | undefined> {
    const { db, clock } = this.#ground
    const deps = this.#deps()
    const jobId = this.#jobId
    const at = { id: jobId, now: deps.now }
    switch (step.kind) {
      case 'fund':
        return this.#build(this.#hirer, fundJob(deps, this.#hirer.wallet, { jobId }))
      case 'refund':
        return this.#build(this.#hirer, refundJob(deps, this.#hirer.wallet, { jobId }))
      case 'collect':
        return this.#build(this.#owner, collectJobs(deps, this.#owner.wallet, {}))
      case 'close':
        return this.#build(this.#hirer, closeEscrows(deps, this.#hirer.wallet, {}))
      case 'withdraw': {
        const { outcome } = await postgres.endJob.call(db, { ...at, wallet: this.#hirer.wallet })
        return outcome === 'recorded' ? undefined : outcome
      }
      case 'split': {
        const wallets = [this.#hirer.wallet, this.#owner.wallet]
        let outcome = ''
        for (const wallet of wallets) {
          const proposal = { ...at, wallet, amount: step.agentAmount }
          outcome = (await postgres.proposeSplit.call(db, proposal)).outcome
        }
        return outcome === 'recorded' ? undefined : outcome
      }
      case 'relay': {
        const built = lastOf(this.#built, step.back)
        return built ? this.#relay(built, step.answer) : 'none'
      }
      case 'leak': {
        const lost = lastOf(this.#lost, step.back)
        return lost ? this.#leak(lost) : 'none'
      }
      case 'assume': {
        const built = lastOf(this.#built, step.back)
        const intent = built && (await findIntent(db, built.id))
        if (!intent?.cosignedAt || intent.status !== 'open') return 'none'
        await recordOutcomes(deps, [{ intent, kind: 'expired' }])
        return undefined
      }
      case 'gift':
        return this.#gift(step.amount)
      case 'pass':
        await clock.travelTo(clock.now() + step.ms)
        return undefined
      case 'settle':
        await postgres.expireUnsignedPayments.call(db, {
          ...{ builtBy: deadlinePassed(deps.now), now: deps.now, limit: 100 },
        })
        await db.$client.query('update payment_intents set due_at = asked_at where due_at is not null')
        await settleDueTransactions(deps)
        return undefined
    }
  }

  async #build(by: Party, building: Promise<BuiltPayment>): Promise<undefined> {
    this.#built.push({ ...(await building), by })
    return undefined
  }

  async #relay(built: Built, answer: 'arrives' | 'lost before' | 'lost after'): Promise<undefined> {
    const { by, id } = built
    const transaction = await signAll(built.transaction, [by.signer.address], [by.signer])
    const { rpc, clock } = this.#ground
    const send: Rpc['send'] = async (signed) => {
      if (answer === 'lost before') this.#lost.push({ by, transaction: signed })
      const sent = answer === 'lost before' ? undefined : await rpc.send(signed)
      if (sent && answer === 'arrives') return sent
      throw new ApiError('dependency_unavailable', 'lost')
    }
    const scheduled = { scheduleOrFail: () => Promise.resolve(), clock: () => new Date(clock.now()) }
    await relayPayment({ ...this.#deps(), ...scheduled, rpc: { ...rpc, send } }, by.wallet, {
      id,
      transaction,
    })
    return undefined
  }

  async #leak({ by, transaction }: { by: Party; transaction: string }): Promise<string | undefined> {
    const decoded = decodeTransaction(transaction)
    if (!decoded) throw new Error('no transaction')
    const { message } = decoded
    const signatures = [signAgain(by.key, message), ...decoded.signatures.slice(1)]
    const sent = await this.#ground.rpc.send(encodeTransaction({ signatures, message }))
    return 'refused' in sent ? sent.refused.kind : undefined
  }

  /** Sends tokens to the job's own escrow, or to the newest that a funding has made. */
  async #gift(amount: bigint): Promise<string | undefined> {
    const { escrows } = await this.#observe()
    const { escrow } = await this.#job()
    const destination = escrow ?? escrows.findLast(({ isOpen }) => isOpen)?.address
    if (destination === undefined) return 'none'
    const { signer, tokens } = this.#hirer
    const { mint } = this.#ground.settings
    const { blockhash } = await this.#ground.rpc.latestBlockhash()
    const gift = { source: tokens, mint, destination, amount, decimals: 9 }
    const { bytes, signers } = compileMessage(
      signer.address,
      [transferChecked(gift, { owner: signer.address })],
      blockhash,
    )
    const empty = { signatures: signers.map(() => new Uint8Array(SIGNATURE_BYTES)), message: bytes }
    const sent = await this.#ground.rpc.send(await signAll(encodeTransaction(empty), signers, [signer]))
    if ('refused' in sent) return sent.refused.kind
    if (destination === escrow) this.#gifts += amount
    return undefined
  }

  /** Returns the CRED in the hirer's own token account. */
  hirerHas = async (): Promise<bigint> => (await this.#observe()).tokens

  status = async (): Promise<string> => (await this.#job()).status

  /** Checks that no lamport is made or lost, and that the escrow holds what both sides have not had yet. */
  async check(): Promise<void> {
    const { escrows, owned, fees, tokens } = await this.#observe()
    const job = await this.#job()
    const held = escrows.reduce((sum, { balance }) => sum + balance, 0n)
    expect(owned + fees + tokens + held).toBe(START_CRED)
    const paid = owned + fees
    const balance = escrows.find(({ address }) => address === job.escrow)?.balance ?? 0n
    if (job.agent_amount === null) {
      expect(paid).toBe(0n)
      if (job.escrow !== null) expect(balance).toBe(PRICE + this.#gifts)
      return
    }
    const [agent, hirer] = [BigInt(job.agent_amount), BigInt(job.hirer_amount ?? 0)]
    const refunded = PRICE + this.#gifts - balance - paid
    expect(balance).toBeGreaterThanOrEqual(positive(agent - paid) + positive(hirer - refunded))
    // The agent's owner has its part once, unless somebody else's gifts were in the escrow.
    expect(paid).toBeLessThanOrEqual(agent === 0n ? 0n : agent + this.#gifts)
    if (job.paid_at) expect(paid).toBeGreaterThanOrEqual(agent)
    if (job.refunded_at) expect(refunded).toBeGreaterThanOrEqual(hirer)
  }

  /** Lets everything that is open end. Then both sides get what is theirs, and nothing stays in an escrow. */
  async finish(): Promise<void> {
    await this.run({ kind: 'pass', ms: 400_000 })
    await this.run({ kind: 'settle' })
    if ((await this.#job()).status === 'funded') await this.run({ kind: 'split', agentAmount: PRICE / 2n })
    for (let i = 0; i < 4; i++)
      for (const kind of ['collect', 'refund', 'refund', 'close'] as const) {
        if ((await this.run({ kind })) === undefined)
          await this.run({ kind: 'relay', back: 0, answer: 'arrives' })
        await this.run({ kind: 'pass', ms: 2_001 })
        await this.run({ kind: 'settle' })
        await this.check()
      }
    const { escrows, owned, fees, tokens } = await this.#observe()
    const { agent_amount } = await this.#job()
    expect(escrows.filter(({ isOpen }) => isOpen)).toEqual([])
    expect(owned + fees).toBeGreaterThanOrEqual(BigInt(agent_amount ?? 0))
    expect(owned + fees + tokens).toBe(START_CRED)
  }

  #deps() {
    const { db, rpc, clock, settings, signers } = this.#ground
    const running = { now: new Date(clock.now()), notify: () => {} }
    const outages = async () => this.outages
    return {
      ...{ db, rpc, settings, signers, areJobsOn: true, ...running },
      settleDeadline: (_db: unknown, jobId: string) =>
        settleDeadline({ db, schedule: () => {}, outages, ...running }, jobId),
      ...{ computeUnitPrice: 1_000n, emptyBuildsPerAddress: 1_000_000 },
      ...{ feeBps: FEE_BPS, feeStep: cred(100n) },
    }
  }

  async #job(): Promise<JobRow> {
    const [row] = await this.#ground.db.$client.query('select * from jobs where id = $1', [this.#jobId])
    return row as JobRow
  }

  async #observe() {
    const rows = (await this.#ground.db.$client.query(
      'select address from payment_intent_jobs where job_id = $1 group by 1 order by min(intent_id::text)',
      [this.#jobId],
    )) as { address: Address }[]
    const addresses = rows.map(({ address }) => address)
    const { accounts } = await this.#ground.rpc.accounts([
      ...[this.#owner.tokens, this.#treasury, this.#hirer.tokens],
      ...addresses,
    ])
    const amounts = accounts.map((account) => decodeTokenAccount(account)?.amount ?? 0n)
    const [owned = 0n, treasury = 0n, tokens = 0n] = amounts
    const escrows = addresses.map((address, i) => ({
      ...{ address, balance: amounts[i + 3] ?? 0n },
      isOpen: decodeTokenAccount(accounts[i + 3]) !== undefined,
    }))
    return { owned, fees: treasury - this.#treasuryBefore, tokens, escrows }
  }
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n)
const lastOf = <T>(all: T[], back: number): T | undefined => all.at(-1 - (back % Math.max(all.length, 1)))

async function newParty({ give, settings }: Ground, amount: bigint): Promise<Party> {
  const key = createSecretKey()
  const signer = await importSigner(key)
  const wallet = signer.address as string as Wallet
  await give(wallet, amount)
  return { key, signer, wallet, tokens: await associatedTokenAddress(signer.address, settings.mint) }
}

async function balancesOf(rpc: Rpc, addresses: Address[]): Promise<bigint[]> {
  const { accounts } = await rpc.accounts(addresses)
  return accounts.map((account) => decodeTokenAccount(account)?.amount ?? 0n)
}
