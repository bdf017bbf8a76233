import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { selectClosableJobs } from '../../lib/payments/jobs/job-queries.ts'
import type { Address, Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import {
  buildOfJobs,
  cosign,
  type JobLeg,
  newEscrow,
  settleAll,
  signedOfJobs,
} from '../support/job-payments.ts'
import { accept, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { whileLocked } from '../support/locks.ts'
import { newWallet, updateAgent } from '../support/stored-agents.ts'

/* What the statements decide about fundings, refunds and payouts of jobs, on real Postgres. */

const MINUTE = 60_000
const now = new Date('2026-11-21T12:00:00.000Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE)
const PRICE = 100n * CRED
const INPUT = 'The text'
const INPUT_HASH = createHash('sha256').update(INPUT).digest('hex')

const database = useDatabase()
const { query } = database

let agent: { agentId: string; owner: Wallet }
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, now)
})

const rowOf = async (id: string) => (await query('select * from jobs where id = $1', id))[0] ?? {}
const legOf = async (intent: string) =>
  (await query('select * from payment_intent_jobs where intent_id = $1', intent))[0] ?? {}

type Job = { id: string; hirer: Wallet }
type Escrowed = Job & { escrow: Address }

async function acceptedJob(
  terms: Partial<Parameters<typeof tryToPost>[1]> = {},
  { agentId, owner } = agent,
): Promise<Job> {
  const hirer = (terms.hirer ?? newWallet()) as Wallet
  const { id } = await tryToPost(database.db, { agentId, hirer, now, price: PRICE, ...terms })
  expect((await accept(database.db, { id, wallet: owner, now })).outcome).toBe('recorded')
  return { id, hirer }
}

const fundingOf = ({ id, hirer }: Job, address = newEscrow(), moment = now) => ({
  kind: 'fund_job' as const,
  wallet: hirer,
  legs: [{ jobId: id, address, amount: PRICE }],
  now: moment,
})
const refundOf = ({ id, hirer }: Job, leg: Omit<JobLeg, 'jobId'>) => ({
  kind: 'refund_job' as const,
  wallet: hirer,
  legs: [{ jobId: id, ...leg }],
  now,
})
const payoutOf = (...legs: JobLeg[]) => ({ kind: 'collect_jobs' as const, wallet: agent.owner, legs, now })

const settle = (id: string, outcome: 'landed' | 'expired' | 'failed', moment = now) =>
  settleAll(database.db, [{ id, outcome }], moment)

async function fundedJob(hirer = newWallet()): Promise<Escrowed> {
  const job = await acceptedJob({ hirer })
  const escrow = newEscrow()
  await settle(await signedOfJobs(database.db, fundingOf(job, escrow)), 'landed')
  return { ...job, escrow }
}

/** Makes a job that has ended with a part for the agent. */
async function endedJob(agentAmount: bigint, hirer = newWallet()): Promise<Escrowed> {
  const job = await fundedJob(hirer)
  for (const wallet of [job.hirer, agent.owner])
    await postgres.proposeSplit.call(database.db, { id: job.id, wallet, amount: agentAmount, now })
  expect(await rowOf(job.id)).toMatchObject({ agent_amount: String(agentAmount), end_reason: 'agreed' })
  return job
}

/** Runs calls that all wait for the agent first, so that they run at once. */
const atOnce = <T>(calls: (() => Promise<T>)[]): Promise<T[]> =>
  whileLocked(
    {
      url: database.url,
      lock: 'select from agents where id = $1 for no key update',
      id: agent.agentId,
      waiting: calls.length,
    },
    () => Promise.all(calls.map((call) => call())),
  )
const outcomesOf = (results: { outcome: string }[]) => results.map(({ outcome }) => outcome).toSorted()

describe('a funding', () => {
  it('funds its job when it lands, and the job does not end before', async () => {
    const job = await acceptedJob()
    const escrow = newEscrow()
    const id = await signedOfJobs(database.db, fundingOf(job, escrow))
    const ended = await postgres.endJob.call(database.db, { id: job.id, wallet: job.hirer, now })
    expect(ended.outcome).toBe('funding_open')
    await settle(id, 'landed', at(3))
    expect(await rowOf(job.id)).toMatchObject({
      due_at: at(3 + 4_320),
      status: 'funded',
      escrow,
      escrow_seed: `seed of ${escrow}`,
    })
  })

  it('is signed, or replaced, when another is built at the same time', async () => {
    const { db } = database
    const job = await acceptedJob()
    const first = await buildOfJobs(db, fundingOf(job))
    const [signed, second] = await atOnce<{ outcome: string }>([
      () => cosign(db, { id: first.id, wallet: job.hirer, now }),
      () => buildOfJobs(db, fundingOf(job)),
    ])
    expect([
      ['recorded', 'funding_open'],
      ['not_found', 'recorded'],
    ]).toContainEqual([signed?.outcome, second?.outcome])
  })

  it('is signed, or its job ends, when both are asked at the same time', async () => {
    const { db } = database
    const job = await acceptedJob()
    const { id } = await buildOfJobs(db, fundingOf(job))
    const outcomes = await atOnce<{ outcome: string }>([
      () => cosign(db, { id, wallet: job.hirer, now }),
      () => postgres.endJob.call(db, { id: job.id, wallet: job.hirer, now }),
    ])
    expect([
      ['recorded', 'funding_open'],
      ['job_changed', 'recorded'],
    ]).toContainEqual(outcomes.map(({ outcome }) => outcome))
    const { is_funding, status } = await rowOf(job.id)
    expect([status, is_funding]).toEqual(
      outcomes[0]?.outcome === 'recorded' ? ['accepted', true] : ['cancelled', false],
    )
  })

  it('is one of two that are built and signed at the same time', async () => {
    const { db } = database
    const job = await acceptedJob()
    const both = await atOnce([() => buildOfJobs(db, fundingOf(job)), () => buildOfJobs(db, fundingOf(job))])
    expect(outcomesOf(both)).toEqual(['recorded', 'recorded'])
    const sign = ({ id }: { id: string }) => cosign(db, { id, wallet: job.hirer, now })
    expect(outcomesOf(await Promise.all(both.map(sign)))).toEqual(['not_found', 'recorded'])
    expect((await buildOfJobs(db, fundingOf(job))).outcome).toBe('funding_open')
  })

  it.each(['landed', 'expired', 'failed'] as const)(
    'that has %s or a cancellation at the same time decides, never both',
    async (outcome) => {
      const { db } = database
      const job = await acceptedJob()
      const escrow = newEscrow()
      const id = await signedOfJobs(db, fundingOf(job, escrow))
      const [, ended] = await atOnce<{ outcome?: string }>([
        async () => ({ ...(await settle(id, outcome)), outcome }),
        () => postgres.endJob.call(db, { id: job.id, wallet: job.hirer, now }),
      ])
      const row = await rowOf(job.id)
      if (outcome === 'landed') {
        expect(['funding_open', 'job_changed']).toContain(ended?.outcome)
        expect(row).toMatchObject({ status: 'funded', escrow })
      } else {
        expect([
          ['funding_open', 'accepted'],
          ['recorded', 'cancelled'],
        ]).toContainEqual([ended?.outcome, row.status])
      }
      expect(row.is_funding).toBe(false)
      expect(await legOf(id)).toMatchObject({ stray_at: null })
    },
  )

  it.each(['expired', 'failed'] as const)('can be repeated when it has %s', async (outcome) => {
    const job = await acceptedJob()
    await settle(await signedOfJobs(database.db, fundingOf(job)), outcome)
    expect(await rowOf(job.id)).toMatchObject({ status: 'accepted', is_funding: false })
    await settle(await signedOfJobs(database.db, fundingOf(job)), 'landed')
    expect(await rowOf(job.id)).toMatchObject({ status: 'funded' })
  })

  it.each(['accepted', 'funded', 'cancelled', 'being funded again'])(
    'is stray when it lands after it was taken for expired, and the job is %s',
    async (status) => {
      const { db } = database
      const job = await acceptedJob()
      const stray = newEscrow()
      const id = await signedOfJobs(db, fundingOf(job, stray))
      await settle(id, 'expired')
      if (status === 'funded') await settle(await signedOfJobs(db, fundingOf(job)), 'landed')
      if (status === 'cancelled') await postgres.endJob.call(db, { id: job.id, wallet: job.hirer, now })
      const open = status === 'being funded again' && (await signedOfJobs(db, fundingOf(job)))
      const before = await rowOf(job.id)
      await settle(id, 'landed', at(5))
      expect(await rowOf(job.id)).toEqual(before)
      expect(before).toMatchObject(open ? { status: 'accepted', is_funding: true } : { status })
      expect(await legOf(id)).toMatchObject({ stray_at: at(5), returned_at: null })
      // All of it is the hirer's at once. The agent's owner gets nothing from it.
      const leg = { jobId: job.id, address: stray, amount: PRICE }
      expect((await buildOfJobs(db, payoutOf(leg))).outcome).toBe('not_due')
      const part = refundOf(job, { ...leg, amount: PRICE - 1n })
      expect((await buildOfJobs(db, part)).outcome).toBe('not_due')
      await settle(await signedOfJobs(db, refundOf(job, { ...leg, guard: PRICE })), 'landed')
      expect(await legOf(id)).toMatchObject({ returned_at: now })
      // A gift in it is the hirer's, too.
      expect((await buildOfJobs(db, part)).outcome).toBe('recorded')
      expect(await rowOf(job.id)).toEqual(before)
      // The row stays, so that its hirer finds the money.
      await postgres.deleteEndedJobs.call(db, { now: at(90 * 1_440), limit: 1_000 })
      expect(await rowOf(job.id)).toMatchObject({ id: job.id })
    },
  )

  it('needs the input whose hash was posted, and keeps it for the agent', async () => {
    const { db } = database
    const job = await acceptedJob({ inputHash: INPUT_HASH })
    expect((await buildOfJobs(db, fundingOf(job))).outcome).toBe('input_missing')
    expect((await buildOfJobs(db, { ...fundingOf(job), input: 'Another' })).outcome).toBe('input_differs')
    const { id, outcome } = await buildOfJobs(db, { ...fundingOf(job), input: INPUT })
    expect(outcome).toBe('recorded')
    await query('delete from job_texts where job_id = $1', job.id)
    expect((await cosign(db, { id, wallet: job.hirer, now })).outcome).toBe('input_missing')
    const again = await buildOfJobs(db, { ...fundingOf(job), input: INPUT })
    expect((await cosign(db, { ...again, wallet: job.hirer, now })).outcome).toBe('recorded')
    expect(await query('select kind, text from job_texts where job_id = $1', job.id)).toEqual([
      { kind: 'input', text: INPUT },
    ])
    const without = await acceptedJob()
    expect((await buildOfJobs(db, { ...fundingOf(without), input: INPUT })).outcome).toBe('input_differs')
  })

  it('is refused when the agent is suspended, the key is over, or time is up', async () => {
    const { db } = database
    const other = await storeWorkingAgent(db, now)
    const job = await acceptedJob({}, other)
    const { id } = await buildOfJobs(db, fundingOf(job))
    const sign = () => cosign(db, { id, wallet: job.hirer, now })
    const change = (status: 'suspended' | 'active') =>
      updateAgent(db, {
        ...{ id: other.agentId, wallet: other.owner, isOperator: true, details: {}, status, now },
        ...{ reason: 'A test', ownerFrom: [], operatorFrom: ['active', 'suspended'] },
      })
    await change('suspended')
    expect((await sign()).outcome).toBe('agent_suspended')
    expect((await buildOfJobs(db, fundingOf(job))).outcome).toBe('agent_suspended')
    await change('active')
    for (const [column, outcome] of [
      ['leaked_at', 'key_leaked'],
      ['taken_at', 'escrow_taken'],
      ['ended_at', 'jobs_ended'],
    ]) {
      await query(
        `insert into payment_generations (generation, authority, ${column}) values (1, 'S', $1)`,
        now,
      )
      expect((await sign()).outcome).toBe(outcome)
      expect((await buildOfJobs(db, fundingOf(job))).outcome).toBe(outcome)
      await query('delete from payment_generations')
    }
    const late = await buildOfJobs(db, fundingOf(job, newEscrow(), at(4_320)))
    expect(late.outcome).toBe('due')
    await query(
      `insert into payment_generations (generation, authority, leaked_at, taken_at) values (2, 'S', $1, $1)`,
      now,
    )
    expect((await buildOfJobs(db, fundingOf(job))).outcome).toBe('recorded')
    await query('delete from payment_generations')
    expect((await buildOfJobs(db, { ...fundingOf(job), wallet: newWallet() })).outcome).toBe('job_not_found')
  })
})

describe('a payment from an escrow', () => {
  it('is refused when the job has not ended', async () => {
    const job = await fundedJob()
    const leg = { jobId: job.id, address: job.escrow, amount: PRICE }
    expect((await buildOfJobs(database.db, refundOf(job, leg))).outcome).toBe('not_due')
    expect((await buildOfJobs(database.db, payoutOf(leg))).outcome).toBe('not_due')
  })

  it('is for what the side has due, guarded while the other side has money due', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow }
    const refused = async (legs: Omit<JobLeg, 'jobId' | 'address'>[], of: 'refund' | 'pay') => {
      for (const part of legs) {
        const build = of === 'refund' ? refundOf(job, { ...leg, ...part }) : payoutOf({ ...leg, ...part })
        expect((await buildOfJobs(db, build)).outcome).toBe('changed')
      }
    }
    await refused([{ amount: 60n * CRED }, { amount: PRICE }, { amount: 61n * CRED, guard: PRICE }], 'refund')
    await refused([{ amount: 40n * CRED }, { amount: 41n * CRED, guard: PRICE }], 'pay')
    const paid = await signedOfJobs(db, payoutOf({ ...leg, amount: 40n * CRED, fee: CRED, guard: PRICE }))
    // Both sides' messages may be in flight. The chain takes one, and the other is built again.
    const first = await signedOfJobs(db, refundOf(job, { ...leg, amount: 60n * CRED, guard: PRICE }))
    await settle(paid, 'landed')
    await settle(first, 'failed')
    await refused([{ amount: 60n * CRED, guard: PRICE }, { amount: 59n * CRED }], 'refund')
    await settle(await signedOfJobs(db, refundOf(job, { ...leg, amount: 60n * CRED })), 'landed')
    expect(await rowOf(job.id)).toMatchObject({
      paid_at: now,
      fee: String(CRED),
      refunded_at: now,
      escrow_closed_at: now,
    })
    for (const build of [refundOf(job, { ...leg, amount: 0n }), payoutOf({ ...leg, amount: 40n * CRED })])
      expect((await buildOfJobs(db, build)).outcome).toBe('not_due')
  })

  it('leaves the escrow open when a gift may stop its closing, and the rest is the hirer’s', async () => {
    const { db } = database
    const job = await endedJob(0n)
    const leg = { jobId: job.id, address: job.escrow }
    const build = (part: Omit<JobLeg, 'jobId' | 'address'>) =>
      buildOfJobs(db, refundOf(job, { ...leg, ...part }))
    expect((await build({ amount: PRICE - 1n, guard: PRICE - 1n })).outcome).toBe('changed')
    expect((await build({ amount: PRICE, guard: PRICE + 1n })).outcome).toBe('changed')
    const open = refundOf(job, { ...leg, amount: PRICE + 1n, guard: PRICE + 1n })
    await settle(await signedOfJobs(db, open), 'landed')
    expect(await rowOf(job.id)).toMatchObject({ refunded_at: now, escrow_closed_at: null })
    await settle(await signedOfJobs(db, refundOf(job, { ...leg, amount: 2n })), 'landed')
    expect(await rowOf(job.id)).toMatchObject({ refunded_at: now, escrow_closed_at: now })
  })

  it('is signed once a side when two are signed at the same time', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, amount: 60n * CRED, guard: PRICE }
    const first = await buildOfJobs(db, refundOf(job, leg))
    // As if both had been built at once.
    const second = { id: crypto.randomUUID() }
    await query(
      `insert into payment_intents select (jsonb_populate_record(intent, jsonb_build_object('id', $1::text, 'transaction', $1::text))).*
       from payment_intents as intent where id = $2`,
      second.id,
      first.id,
    )
    await query(
      `insert into payment_intent_jobs select (jsonb_populate_record(leg, jsonb_build_object('intent_id', $1::text))).*
       from payment_intent_jobs as leg where intent_id = $2`,
      second.id,
      first.id,
    )
    const sign = ({ id }: { id: string }) => cosign(db, { id, wallet: job.hirer, now })
    expect(outcomesOf(await atOnce([() => sign(first), () => sign(second)]))).toEqual([
      'in_flight',
      'recorded',
    ])
    expect((await buildOfJobs(db, refundOf(job, leg))).outcome).toBe('in_flight')
  })

  it.each(['hirer', 'owner'])('is not built for the %s when another one is in flight', async (side) => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, guard: PRICE }
    const build =
      side === 'hirer'
        ? refundOf(job, { ...leg, amount: 60n * CRED })
        : payoutOf({ ...leg, amount: 40n * CRED })
    await signedOfJobs(db, build)
    expect((await buildOfJobs(db, build)).outcome).toBe('in_flight')
  })

  it('is refused when only the other side has money due', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const address = job.escrow
    const own = refundOf(job, { address, amount: 60n * CRED, guard: PRICE })
    await settle(await signedOfJobs(db, own), 'landed')
    for (const leg of [{ amount: 40n * CRED }, { amount: 0n, guard: 40n * CRED }])
      expect((await buildOfJobs(db, refundOf(job, { address, ...leg }))).outcome).toBe('not_due')
  })

  it('of the whole rest waits when one to the other side is in flight', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, amount: 40n * CRED, guard: PRICE }
    const lost = await signedOfJobs(db, payoutOf(leg))
    await settle(lost, 'expired')
    const second = await signedOfJobs(db, payoutOf(leg))
    await settle(lost, 'landed')
    const rest = refundOf(job, { address: job.escrow, amount: 60n * CRED })
    expect((await buildOfJobs(db, rest)).outcome).toBe('in_flight')
    await settle(second, 'failed')
    expect((await buildOfJobs(db, rest)).outcome).toBe('recorded')
  })

  it('is signed for both sides at the same time, and the one that lands is not signed again', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, guard: PRICE }
    const pay = payoutOf({ ...leg, amount: 40n * CRED, fee: CRED })
    const back = refundOf(job, { ...leg, amount: 60n * CRED })
    const built = [await buildOfJobs(db, pay), await buildOfJobs(db, back)] as const
    const sign = async () =>
      outcomesOf(
        await atOnce([
          () => cosign(db, { id: built[0].id, wallet: agent.owner, now }),
          () => cosign(db, { id: built[1].id, wallet: job.hirer, now }),
        ]),
      )
    expect(await sign()).toEqual(['recorded', 'recorded'])
    expect(await sign()).toEqual(['already_cosigned', 'already_cosigned'])
    // The guards let one of both land.
    await atOnce([() => settle(built[0].id, 'landed'), () => settle(built[1].id, 'failed')])
    expect(await rowOf(job.id)).toMatchObject({ paid_at: now, refunded_at: null })
    expect((await buildOfJobs(db, pay)).outcome).toBe('not_due')
    expect((await buildOfJobs(db, back)).outcome).toBe('changed')
  })

  it('is signed before a payout lands, or refused as changed after it', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, guard: PRICE }
    const pay = await signedOfJobs(db, payoutOf({ ...leg, amount: 40n * CRED, fee: CRED }))
    const back = await buildOfJobs(db, refundOf(job, { ...leg, amount: 60n * CRED }))
    const [, signed] = await atOnce<{ outcome?: string }>([
      async () => ({ ...(await settle(pay, 'landed')), outcome: 'landed' }),
      () => cosign(db, { id: back.id, wallet: job.hirer, now }),
    ])
    expect(['recorded', 'changed']).toContain(signed?.outcome)
    expect(await rowOf(job.id)).toMatchObject({ paid_at: now, refunded_at: null })
  })

  it('is recorded once when a refund that was thought lost lands as the next is signed', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const back = refundOf(job, { address: job.escrow, amount: 60n * CRED, guard: PRICE })
    const lost = await signedOfJobs(db, back)
    await settle(lost, 'expired')
    const second = await buildOfJobs(db, back)
    const [, signed] = await atOnce<{ outcome?: string }>([
      async () => ({ ...(await settle(lost, 'landed')), outcome: 'landed' }),
      () => cosign(db, { id: second.id, wallet: job.hirer, now }),
    ])
    expect(['recorded', 'not_due']).toContain(signed?.outcome)
    // Gifts can let the second land, too. It is recorded once.
    if (signed?.outcome === 'recorded') await settle(second.id, 'landed', at(1))
    expect(await rowOf(job.id)).toMatchObject({ refunded_at: now, paid_at: null })
    expect((await buildOfJobs(db, back)).outcome).toBe('not_due')
    expect(
      await query(`select 1 from events where type = 'job.refunded' and data ->> 'jobId' = $1`, job.id),
    ).toHaveLength(1)
    // The part of the agent's owner is still due.
    const rest = payoutOf({ jobId: job.id, address: job.escrow, amount: 40n * CRED, fee: CRED })
    await settle(await signedOfJobs(db, rest), 'landed')
    expect(await rowOf(job.id)).toMatchObject({ refunded_at: now, paid_at: now })
  })

  it('is recorded once when one that was taken for expired lands, too', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow, amount: 40n * CRED, fee: CRED, guard: PRICE }
    const lost = await signedOfJobs(db, payoutOf(leg))
    await settle(lost, 'expired')
    expect(await rowOf(job.id)).toMatchObject({ paid_at: null })
    const second = await signedOfJobs(db, payoutOf(leg))
    await settleAll(
      db,
      [
        { id: second, outcome: 'failed' },
        { id: lost, outcome: 'landed' },
      ],
      at(1),
    )
    expect(await rowOf(job.id)).toMatchObject({ paid_at: at(1), fee: String(CRED) })
    await settle(second, 'landed', at(2))
    expect(await rowOf(job.id)).toMatchObject({ paid_at: at(1) })
    const months = await query(
      `select role, payments, amount::text, fee::text from payment_months where kind = 'job' and wallet = $1`,
      job.hirer,
    )
    expect(months).toEqual([{ role: 'hirer', payments: '1', amount: String(40n * CRED), fee: String(CRED) }])
  })

  it('counts for the reputation of both sides as a collected charge does', async () => {
    const { db } = database
    const other = await storeWorkingAgent(db, now)
    const was = agent
    agent = other
    const jobs = [await endedJob(PRICE), await endedJob(PRICE)]
    const legs = jobs.map(({ id, escrow }) => ({ jobId: id, address: escrow, amount: PRICE, fee: CRED }))
    await settle(await signedOfJobs(db, payoutOf(...legs)), 'landed')
    const paid = await query('select payer, fee from payers where payee = $1 order by payer', other.owner)
    expect(paid).toEqual(
      jobs
        .map(({ hirer }) => ({ payer: hirer as string, fee: String(CRED) }))
        .toSorted((a, b) => (a.payer < b.payer ? -1 : 1)),
    )
    const [sums] = await query(
      `select payments, amount::text, fee::text from payment_months where kind = 'job' and role = 'owner' and wallet = $1`,
      other.owner,
    )
    expect(sums).toEqual({ payments: '2', amount: String(2n * PRICE), fee: String(2n * CRED) })
    agent = was
  })
})

describe('escrows to close', () => {
  it('are the oldest jobs of a hirer, or those of one job', async () => {
    const { db } = database
    const hirer = newWallet()
    const jobs = [await endedJob(PRICE, hirer), await endedJob(PRICE, hirer), await endedJob(PRICE, hirer)]
    const select = async (limit: number, jobId?: string) =>
      (await selectClosableJobs(db, { hirer, jobId, limit })).map(({ id }) => id)
    expect(await select(10)).toEqual([])
    const legs = jobs.map(({ id, escrow }) => ({ jobId: id, address: escrow, amount: PRICE }))
    await settle(await signedOfJobs(db, payoutOf(...legs)), 'landed')
    const ids = jobs.map(({ id }) => id).toSorted()
    expect(await select(2)).toEqual(ids.slice(0, 2))
    expect(await select(10, ids[2])).toEqual([ids[2]])
  })
})

describe('a refund that a restore finds', () => {
  it.each([
    ['closes the escrow', PRICE, undefined, 0n],
    ['leaves it open after a gift', PRICE + 5n, PRICE + 5n, 0n],
    ['leaves the agent’s part', 60n * CRED, PRICE, 40n * CRED],
  ])('ends its job when it %s', async (_title, amount, guard, agentAmount) => {
    const { db } = database
    const job = await fundedJob()
    const { outcome } = await postgres.recordFoundJobPayment.call(db, {
      ...{ id: crypto.randomUUID(), wallet: job.hirer, kind: 'refund_job', keyVersion: 1, now },
      ...{ transaction: 't', message: 'm', cosignedMessage: 'm', networkSignature: 's', slot: 1n },
      ...{ landedAt: now, jobs: [job.id], addresses: [job.escrow], seeds: [''], fees: [0n] },
      ...{ amounts: [amount], guards: [guard ?? 0n], feeBps: 100, feeStep: 1n },
    })
    expect(outcome).toBe('landed')
    expect(await rowOf(job.id)).toMatchObject({
      ...{ agent_amount: String(agentAmount), hirer_amount: String(PRICE - agentAmount) },
      ...{ refunded_at: now, escrow_closed_at: guard === undefined ? now : null },
    })
  })
})

describe('events', () => {
  it('say which transaction moved a job’s money', async () => {
    const { db } = database
    const job = await endedJob(40n * CRED)
    const leg = { jobId: job.id, address: job.escrow }
    const pay = await signedOfJobs(db, payoutOf({ ...leg, amount: 40n * CRED, fee: CRED, guard: PRICE }))
    await settle(pay, 'landed')
    const back = await signedOfJobs(db, refundOf(job, { ...leg, amount: 60n * CRED }))
    await settle(back, 'landed')
    const late = await acceptedJob()
    const stray = await signedOfJobs(db, fundingOf(late))
    await settle(stray, 'expired')
    await settle(stray, 'landed')
    const eventsOf = ({ id }: Job) =>
      query(
        `select type, data -> 'transactionId' as tx, data -> 'amount' as amount, data -> 'fee' as fee
         from events where data ->> 'jobId' = $1 and type in ('job.funded', 'job.ended', 'job.paid', 'job.refunded', 'job.stray') order by type`,
        id,
      )
    expect(await eventsOf(job)).toEqual([
      { type: 'job.ended', tx: null, amount: null, fee: null },
      { type: 'job.funded', tx: null, amount: null, fee: null },
      { type: 'job.paid', tx: pay, amount: Number(40n * CRED), fee: Number(CRED) },
      { type: 'job.refunded', tx: back, amount: Number(60n * CRED), fee: null },
    ])
    expect(await eventsOf(late)).toEqual([{ type: 'job.stray', tx: stray, amount: Number(PRICE), fee: null }])
  })
})

describe('the former release', () => {
  it.each(['expired', 'landed'])('can’t record that a funding has %s', async (status) => {
    const job = await acceptedJob()
    const id = await signedOfJobs(database.db, fundingOf(job))
    await expect(
      query('update payment_intents set status = $1, resolved_at = $2 where id = $3', status, now, id),
    ).rejects.toThrow('payment_intents_jobs_settled')
  })
})
