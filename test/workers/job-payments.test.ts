import { createHash } from 'node:crypto'
import { PublicKey } from '@solana/web3.js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { collectorAccount } from '../../lib/payments/chain/collector.ts'
import { refundAccount } from '../../lib/payments/chain/job-accounts.ts'
import { parseAddress } from '../../lib/solana/address.ts'
import { createAccountWithSeed } from '../../lib/solana/programs/system.ts'
import { initializeMultisig2, transferChecked } from '../../lib/solana/programs/token.ts'
import { cred } from '../../schema/amounts.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { credIn, LIFETIME_MS, mintOf, ownerTokensOf, perform, treasuryOf } from '../support/chain.ts'
import { TERMS_HASH, tryToPost } from '../support/jobs.ts'
import { createAgent, createPayer, type Payer } from '../support/payer.ts'
import { type Answer, type Body, type Service, startService } from '../support/service.ts'
import { openDatabaseOf } from '../support/service-database.ts'
import { connectionOf, DAY, giveCred, ONE, rpc, travel } from '../support/staker.ts'

const INPUT = 'The text to translate'
const INPUT_HASH = createHash('sha256').update(INPUT).digest('hex')
const PRICE = 100n * BigInt(ONE)
/** The place of a token account's state in its data, and the state of a frozen one. */
const STATE_AT = 108
const FROZEN = 2

let service: Service
let database: Awaited<ReturnType<typeof openDatabaseOf>>
let pool: pg.Pool
let agent: { owner: Payer; agentId: string }

beforeAll(async () => {
  service = await startService({ groups: ['auth', 'agents', 'vault', 'payments', 'settlement', 'work'] })
  database = await openDatabaseOf(service)
  pool = new pg.Pool({ connectionString: service.database.url })
  agent = await createAgent(service)
  const terms = { agentId: agent.agentId, owner: agent.owner.owner, minPrice: PRICE, workMinutes: 60 }
  await postgres.setJobTerms.call(database.db, { ...terms, judges: ['none'], now: now() })
})
afterAll(async () => {
  await pool?.end()
  await database?.close()
  await service?.stop()
})

const now = () => new Date(service.clock.now())
const rowOf = async (id: string) => (await pool.query('select * from jobs where id = $1', [id])).rows[0] ?? {}

/** A job that the agent has accepted. */
async function acceptedJob(hirer: Payer, inputHash?: string, { agentId, owner } = agent): Promise<string> {
  const order = { agentId, hirer: hirer.owner as Wallet, price: PRICE, judge: 'none', inputHash, now: now() }
  const { id } = await tryToPost(database.db, order)
  const acceptance = { id, wallet: owner.owner as Wallet, termsHash: TERMS_HASH, keyVersion: 1, now: now() }
  expect((await postgres.acceptJob.call(database.db, acceptance)).outcome).toBe('recorded')
  return id
}

async function createJobHirer(): Promise<Payer> {
  const hirer = await createPayer(service)
  await hirer.land(hirer.post('jobs/refund-account'))
  return hirer
}

async function fundedJob(hirer: Payer): Promise<string> {
  const id = await acceptedJob(hirer)
  await hirer.land(hirer.post('jobs/fund', { jobId: id }))
  expect((await rowOf(id)).status).toBe('funded')
  return id
}

/** Takes a signed transaction for expired, as an operator may before the chain is asked. */
async function assumeExpired({ body: { id } }: Answer) {
  const { rows } = await pool.query('select * from payment_intents where id = $1', [id])
  await postgres.settlePayments.call(database.db, {
    ids: [String(id)],
    networkSignatures: [String(rows[0].network_signature)],
    lastValidBlockHeights: [BigInt(String(rows[0].last_valid_block_height))],
    outcomes: ['expired'],
    feeStep: 1n,
    now: now(),
  })
}

const deliver = (id: string) =>
  postgres.deliverJob.call(database.db, {
    ...{ id, wallet: agent.owner.owner as Wallet, delivery: 'The translation', now: now() },
  })
const approve = (id: string, hirer: Payer) =>
  postgres.decideJob.call(database.db, {
    ...{ id, wallet: hirer.owner as Wallet, act: 'approve', isJudge: false, now: now() },
  })
async function split(id: string, hirer: Payer, agentAmount: bigint) {
  for (const wallet of [hirer.owner, agent.owner.owner] as Wallet[])
    await postgres.proposeSplit.call(database.db, { id, wallet, amount: cred(agentAmount), now: now() })
}
const escrowOf = (built: Answer) => String((built.body.jobs as Body[])[0]?.address)

describe('a job', () => {
  it('is funded with its input, delivered, approved and collected', async () => {
    const hirer = await createPayer(service)
    const jobId = await acceptedJob(hirer, INPUT_HASH)
    const fund = (input?: string) => hirer.post('jobs/fund', { jobId, input })
    expect((await fund(INPUT)).body.code).toBe('refund_account_missing')
    await hirer.land(hirer.post('jobs/refund-account', { jobId }))
    expect((await hirer.post('jobs/refund-account')).body.code).toBe('refund_account_exists')
    expect((await fund()).body).toMatchObject({ code: 'input_missing', errors: [{ path: 'input' }] })
    expect((await fund('Another')).body.code).toBe('input_differs')
    const before = await hirer.cred()
    await hirer.land(fund(INPUT))
    expect(before - (await hirer.cred())).toBe(PRICE)
    const sums = async ({ call }: Payer, role: string) =>
      (await call('GET', `/payments/totals?role=${role}`)).body
    for (const [payer, role] of [
      [hirer, 'hirer'],
      [agent.owner, 'owner'],
    ] as const)
      expect(await sums(payer, role)).toMatchObject({ jobsHeld: Number(PRICE), jobsDue: 0 })
    expect((await fund()).body.code).toBe('job_changed')
    expect((await agent.owner.post('jobs/collect')).body.code).toBe('nothing_to_collect')

    await deliver(jobId)
    await approve(jobId, hirer)
    const due = { jobsHeld: 0, jobsDue: Number(PRICE), jobsDueFee: ONE }
    expect(await sums(agent.owner, 'owner')).toMatchObject(due)
    const { treasury } = await treasuryOf(service)
    const [owned, fees] = [await agent.owner.cred(), await credIn(service, treasury)]
    const collection = await agent.owner.land(agent.owner.post('jobs/collect'))
    expect(collection.body).toMatchObject({ kind: 'collect_jobs', jobs: [{ jobId, fee: ONE }] })
    expect((await agent.owner.cred()) - owned).toBe(99n * BigInt(ONE))
    expect((await credIn(service, treasury)) - fees).toBe(BigInt(ONE))
    expect(await rowOf(jobId)).toMatchObject({ status: 'completed', fee: String(ONE) })
    const totals = await sums(agent.owner, 'owner')
    expect(totals.kinds).toEqual([{ kind: 'job', payments: 1, amount: Number(PRICE), fee: ONE }])
    expect(totals).toMatchObject({ jobsDue: 0, jobsDueFee: 0 })
    await hirer.land(hirer.post('jobs/close'))
    expect((await rowOf(jobId)).escrow_closed_at).not.toBeNull()
    expect((await hirer.post('jobs/close')).body.code).toBe('nothing_due')
  })

  it('without a delivery is paid back in full, and its escrow closed', async () => {
    const hirer = await createJobHirer()
    const jobId = await fundedJob(hirer)
    const refund = () => hirer.post('jobs/refund', { jobId })
    expect((await refund()).body.code).toBe('nothing_due')
    await travel(service, 4 * DAY)
    await hirer.signInAgain()
    await agent.owner.signInAgain()
    await postgres.settleJob.call(database.db, { id: jobId, gapsFrom: [], gapsUntil: [], now: now() })
    const before = await hirer.cred()
    await hirer.land(refund())
    expect((await hirer.cred()) - before).toBe(PRICE)
    expect(await rowOf(jobId)).toMatchObject({ status: 'expired', refunded_at: expect.any(Date) })
    expect((await refund()).body.code).toBe('nothing_due')
    expect((await (await createPayer(service)).post('jobs/refund', { jobId })).body.code).toBe(
      'job_not_found',
    )
  })

  it('that was split pays both, and the second of two payments in flight is built again', async () => {
    const hirer = await createJobHirer()
    const jobId = await fundedJob(hirer)
    await split(jobId, hirer, 40n * BigInt(ONE))
    const dueTo = async ({ call }: Payer, role: string) =>
      ((await call('GET', `/jobs?role=${role}&due=true`)).body.jobs as Body[]).map(({ id }) => id)
    expect(await dueTo(hirer, 'hirer')).toEqual([jobId])
    expect(await dueTo(agent.owner, 'agent')).toEqual([jobId])
    expect((await hirer.call('GET', '/payments/totals?role=hirer')).body).toMatchObject({
      jobsDue: 60 * ONE,
    })
    const pay = await agent.owner.post('jobs/collect', { jobId })
    const back = await hirer.post('jobs/refund', { jobId })
    expect(back.body).toMatchObject({ jobs: [{ amount: 60 * ONE }] })
    expect((await agent.owner.relay(pay)).status).toBe(200)
    // Its guard fails in the simulation, so that it is not signed.
    expect((await hirer.relay(back)).body.code).toBe('transaction_failed')
    expect(await agent.owner.status(pay)).toMatchObject({ status: 'landed' })
    const before = await hirer.cred()
    expect(await dueTo(agent.owner, 'agent')).toEqual([])
    expect(await dueTo(hirer, 'hirer')).toEqual([jobId])
    await hirer.land(hirer.post('jobs/refund', { jobId }))
    expect((await hirer.cred()) - before).toBe(60n * BigInt(ONE))
    expect(await dueTo(hirer, 'hirer')).toEqual([])
    expect(await rowOf(jobId)).toMatchObject({
      paid_at: expect.any(Date),
      escrow_closed_at: expect.any(Date),
    })
  })

  it('gives six at once to the agents’ owner', async () => {
    const hirer = await createJobHirer()
    const ids = []
    for (let i = 0; i < 7; i++) {
      const id = await fundedJob(hirer)
      await split(id, hirer, i === 0 ? 50n * BigInt(ONE) : PRICE)
      ids.push(id)
    }
    const first = await agent.owner.land(agent.owner.post('jobs/collect'))
    expect((first.body.jobs as Body[]).map(({ jobId }) => jobId)).toEqual(ids.toSorted().slice(0, 6))
    const second = await agent.owner.land(agent.owner.post('jobs/collect'))
    expect((second.body.jobs as Body[]).length).toBe(1)
  })

  it('whose funding was taken for expired and landed is not funded, and all is paid back', async () => {
    const hirer = await createJobHirer()
    const jobId = await acceptedJob(hirer)
    const funding = await hirer.post('jobs/fund', { jobId })
    expect((await hirer.relay(funding)).status).toBe(200)
    await assumeExpired(funding)
    expect(await rowOf(jobId)).toMatchObject({ status: 'accepted', is_funding: false })
    await travel(service, LIFETIME_MS)
    const before = await hirer.cred()
    const refund = await hirer.land(hirer.post('jobs/refund', { jobId }))
    expect(escrowOf(refund)).toBe(escrowOf(funding))
    expect((await hirer.cred()) - before).toBe(PRICE)
    expect(await rowOf(jobId)).toMatchObject({ status: 'accepted', escrow: null })
    expect((await hirer.post('jobs/refund', { jobId })).body.code).toBe('nothing_due')
  })

  it('whose payment was taken for expired and landed is known as paid at the next collection', async () => {
    const hirer = await createJobHirer()
    const jobId = await fundedJob(hirer)
    await split(jobId, hirer, PRICE)
    const collect = () => agent.owner.post('jobs/collect', { jobId })
    const payment = await collect()
    expect((await agent.owner.relay(payment)).status).toBe(200)
    await assumeExpired(payment)
    expect(await rowOf(jobId)).toMatchObject({ paid_at: null })
    await travel(service, LIFETIME_MS)
    expect((await collect()).body.code).toBe('nothing_to_collect')
    expect(await rowOf(jobId)).toMatchObject({ paid_at: expect.any(Date), fee: String(ONE) })
  })

  it('whose escrow somebody sends tokens to leaves these to the hirer', async () => {
    const hirer = await createJobHirer()
    const jobId = await fundedJob(hirer)
    const { escrow } = await rowOf(jobId)
    await split(jobId, hirer, PRICE)
    await agent.owner.land(agent.owner.post('jobs/collect', { jobId }))
    const source = await ownerTokensOf(service, hirer.owner)
    const gift = { source, mint: mintOf(service), destination: parseAddress(escrow), amount: 5n, decimals: 9 }
    await perform(service, [hirer.keypair], [transferChecked(gift, { owner: parseAddress(hirer.owner) })])
    expect((await hirer.post('jobs/close', { jobId })).body).toMatchObject({
      code: 'nothing_due',
      detail: expect.stringContaining('POST /payments/jobs/refund'),
    })
    const before = await hirer.cred()
    await hirer.land(hirer.post('jobs/refund', { jobId }))
    expect((await hirer.cred()) - before).toBe(5n)
    expect(await rowOf(jobId)).toMatchObject({ refunded_at: null, escrow_closed_at: expect.any(Date) })
  })
})

describe('a refund', () => {
  it('goes to a fresh account when the hirer’s own one is frozen', async () => {
    const hirer = await createJobHirer()
    const jobId = await fundedJob(hirer)
    await split(jobId, hirer, 0n)
    const own = await ownerTokensOf(service, hirer.owner)
    const account = await connectionOf(service).getAccountInfo(new PublicKey(own))
    const data = Buffer.from(account?.data ?? [])
    data[STATE_AT] = FROZEN
    await rpc(service, 'surfnet_setAccount', [own, { data: data.toString('hex') }])
    const built = await hirer.land(hirer.post('jobs/refund', { jobId }))
    expect(built.body.message).toContain('rent of a new token account')
    const { value } = await connectionOf(service).getTokenAccountsByOwner(hirer.keypair.publicKey, {
      mint: new PublicKey(mintOf(service)),
    })
    const fresh = value.filter(({ pubkey }) => pubkey.toBase58() !== own)
    expect(fresh).toHaveLength(1)
    expect(await credIn(service, String(fresh[0]?.pubkey.toBase58()))).toBe(PRICE)
    expect(await rowOf(jobId)).toMatchObject({ refunded_at: expect.any(Date) })
  })
})

describe('a funding', () => {
  it('is refused when the wallet has made another multisig at its refund account’s address', async () => {
    const hirer = await createPayer(service)
    const jobId = await acceptedJob(hirer)
    const wallet = parseAddress(hirer.owner)
    const account = await refundAccount(wallet, 1)
    await perform(
      service,
      [hirer.keypair],
      [
        createAccountWithSeed(account, 3_361_680n, 355n),
        initializeMultisig2(account.address, 1, [wallet, wallet]),
      ],
    )
    expect((await hirer.post('jobs/fund', { jobId })).body.code).toBe('refund_account_foreign')
    expect((await hirer.post('jobs/refund-account')).body.code).toBe('refund_account_foreign')
  })

  it('is refused when the agent’s owner has made another multisig at its payout account’s address', async () => {
    const { owner, agentId } = await createAgent(service, { hasCollector: false })
    const terms = { agentId, owner: owner.owner, minPrice: PRICE, workMinutes: 60 }
    await postgres.setJobTerms.call(database.db, { ...terms, judges: ['none'], now: now() })
    const wallet = parseAddress(owner.owner)
    const account = await collectorAccount(wallet, 1)
    await perform(
      service,
      [owner.keypair],
      [
        createAccountWithSeed(account, 3_361_680n, 355n),
        initializeMultisig2(account.address, 1, [wallet, wallet]),
      ],
    )
    const hirer = await createJobHirer()
    const jobId = await acceptedJob(hirer, undefined, { owner, agentId })
    expect((await hirer.post('jobs/fund', { jobId })).body.code).toBe('collector_foreign')
  })

  it('is refused when the wallet is short, and when it is somebody else’s', async () => {
    const hirer = await createJobHirer()
    const jobId = await acceptedJob(hirer)
    await giveCred(service, hirer.owner, PRICE - 1n)
    expect((await hirer.post('jobs/fund', { jobId })).body.code).toBe('funds_short')
    expect((await agent.owner.post('jobs/fund', { jobId })).body.code).toBe('job_not_found')
  })

  it('ends its job when it is asked for after the deadline', async () => {
    const hirer = await createJobHirer()
    const jobId = await acceptedJob(hirer)
    await travel(service, 4 * DAY)
    await hirer.signInAgain()
    await agent.owner.signInAgain()
    expect((await hirer.post('jobs/fund', { jobId })).body.code).toBe('deadline_passed')
    expect(await rowOf(jobId)).toMatchObject({ status: 'cancelled', end_reason: 'not_funded' })
  })
})
