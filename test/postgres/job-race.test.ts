import { beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { QUEUED_JOBS, UNENDED_JOBS, UNFUNDED_JOBS, UNFUNDED_JOBS_UNPAID } from '../../lib/work/rules.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { accept, actAsChain, CRED, copyJobIn, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { whileLocked } from '../support/locks.ts'
import { newWallet, updateAgent } from '../support/stored-agents.ts'

const MINUTE = 60_000
const now = new Date('2026-11-21T12:00:00.000Z')
const at = (minutes: number) => new Date(now.getTime() + minutes * MINUTE)
const GAPS = { gapsFrom: [], gapsUntil: [] }
/** The first call of a job run. */
const RUN = { ...GAPS, except: [] }
const range = (length: number) => Array.from({ length }, (_, i) => i)

const database = useDatabase()
const { query } = database

let agent: { agentId: string; owner: Wallet }
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, now)
})

const storeWallet = async (wallet = newWallet()) => {
  await query('insert into wallets (address, first_login_at, last_login_at) values ($1, $2, $2)', wallet, now)
  return wallet
}
const rowOf = async (id: string) => (await query('select * from jobs where id = $1', id))[0]

type State = 'open' | 'accepted' | 'funding' | 'funded' | 'delivered' | 'disputed'
/** Stores a job in a state, which it reaches at once. */
async function storeJob(
  state: State,
  terms: Partial<Parameters<typeof tryToPost>[1]> = {},
  owner = agent.owner,
) {
  const { db, pool } = database
  const hirer = (terms.hirer ?? newWallet()) as Wallet
  const { id, outcome } = await tryToPost(db, { agentId: agent.agentId, hirer, now, ...terms })
  expect(outcome).toBe('recorded')
  const steps: Record<Exclude<State, 'open'>, () => Promise<unknown>> = {
    accepted: () => accept(db, { id, wallet: owner, now }),
    funding: () => actAsChain(pool, id, 'fund', now),
    funded: () => actAsChain(pool, id, 'confirm', now),
    delivered: () => postgres.deliverJob.call(db, { id, wallet: owner, delivery: 'The text', now }),
    disputed: () => postgres.objectJob.call(db, { id, wallet: hirer, reason: 'It is wrong', now }),
  }
  for (const [reached, step] of Object.entries(steps)) {
    if (state === 'open') break
    await step()
    if (reached === state) break
  }
  expect((await rowOf(id)).status).toBe(state === 'funding' ? 'accepted' : state)
  return { id, hirer }
}

/** Counts the calls by outcome. */
const tally = (results: { outcome: string }[]) => {
  const counts: Record<string, number> = {}
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Runs calls that all wait for the job's agent first, so that they run at once. */
const atOnce = <T>(calls: (() => Promise<T>)[]): Promise<T[]> =>
  whileLocked(
    {
      url: database.url,
      lock: 'select from agents where id = $1 for no key update',
      id: agent.agentId,
      waiting: Math.min(calls.length, 8),
    },
    () => Promise.all(calls.map((call) => call())),
  )

describe('acts at the same time', () => {
  it('record one of two acceptances by different grants', async () => {
    const { id } = await storeJob('open')
    const results = await atOnce(
      range(6).map(
        () => () => accept(database.db, { id, wallet: agent.owner, grant: crypto.randomUUID(), now: at(1) }),
      ),
    )
    expect(tally(results)).toEqual({ recorded: 1, recorded_before: 5 })
  })

  it('record one of two deliveries, and keep it', async () => {
    const { id } = await storeJob('funded')
    const results = await atOnce(
      range(6).map(
        (i) => () =>
          postgres.deliverJob.call(database.db, {
            id,
            wallet: agent.owner,
            delivery: `Text ${i}`,
            now: at(1),
          }),
      ),
    )
    expect(tally(results)).toEqual({ recorded: 1, job_changed: 5 })
    const [text] = await query(
      `select encode(sha256(convert_to(text, 'UTF8')), 'hex') as hash from job_texts where job_id = $1`,
      id,
    )
    expect((await rowOf(id)).delivery_hash).toBe(text.hash)
  })

  it('either deliver a job or let it expire, at its deadline', async () => {
    for (const minute of [4_319, 4_320]) {
      const { id } = await storeJob('funded')
      const deliver = () =>
        postgres.deliverJob.call(database.db, {
          id,
          wallet: agent.owner,
          delivery: 'Text',
          now: at(minute),
        })
      const settle = () => postgres.settleJob.call(database.db, { id, ...GAPS, now: at(minute) })
      const [delivery] = await atOnce<{ outcome: string }>([deliver, settle])
      const job = await rowOf(id)
      if (minute < 4_320) expect([delivery?.outcome, job.status]).toEqual(['recorded', 'delivered'])
      else {
        expect(['due', 'deadline_passed']).toContain(delivery?.outcome)
        expect([job.status, job.end_reason, job.hirer_amount]).toEqual([
          'expired',
          'no_delivery',
          String(100n * CRED),
        ])
        expect((await deliver()).outcome).toBe('deadline_passed')
      }
    }
  })

  it('either approve a delivery or dispute it', async () => {
    for (const _ of range(4)) {
      const { id, hirer } = await storeJob('delivered')
      const [approval, objection] = await atOnce<{ outcome: string }>([
        () =>
          postgres.decideJob.call(database.db, {
            id,
            wallet: hirer,
            isJudge: false,
            act: 'approve',
            now: at(1),
          }),
        () => postgres.objectJob.call(database.db, { id, wallet: hirer, reason: 'Wrong', now: at(1) }),
      ])
      const { status, agent_amount } = await rowOf(id)
      // An approval also ends a dispute.
      expect(approval?.outcome).toBe('recorded')
      expect(['recorded', 'job_changed']).toContain(objection?.outcome)
      expect([status, agent_amount]).toEqual(['completed', String(100n * CRED)])
    }
  })

  it('record one of several verdicts', async () => {
    const { id } = await storeJob('disputed')
    const results = await atOnce(
      range(6).map(
        (i) => () =>
          postgres.decideJob.call(database.db, {
            ...{
              id,
              wallet: newWallet(),
              isJudge: true,
              act: 'judge',
              amount: BigInt(i) * CRED,
              now: at(1),
            },
          }),
      ),
    )
    expect(tally(results)).toEqual({ recorded: 1, job_changed: 5 })
    const { agent_amount, hirer_amount } = await rowOf(id)
    expect(BigInt(agent_amount) + BigInt(hirer_amount)).toBe(100n * CRED)
  })

  it('end a job once by equal proposals', async () => {
    const { id, hirer } = await storeJob('funded')
    const propose = (wallet: Wallet) => () =>
      postgres.proposeSplit.call(database.db, { id, wallet, amount: 40n * CRED, now: at(1) })
    const results = await atOnce([hirer, agent.owner, hirer, agent.owner].map(propose))
    expect(tally(results)).toEqual({ recorded: 2, recorded_before: 2 })
    expect(await rowOf(id)).toMatchObject({
      status: 'completed',
      end_reason: 'agreed',
      agent_amount: String(40n * CRED),
    })
  })

  it('settle a deadline once', async () => {
    const { id } = await storeJob('delivered')
    const settle = () => postgres.settleJob.call(database.db, { id, ...GAPS, now: at(5_000) })
    const results = await atOnce(range(6).map(() => settle))
    expect(tally(results)).toEqual({ settled: 1, not_due: 5 })
    const run = await postgres.recordDueJobs.call(database.db, { ...RUN, now: at(5_000), limit: 100 })
    expect(run.failed).toEqual([])
    expect(await rowOf(id)).toMatchObject({ end_reason: 'review_time_over', ended_at: at(4_320) })
  })
})

describe('a signed funding', () => {
  it('keeps both sides and the deadline from ending the job', async () => {
    const { id, hirer } = await storeJob('funding')
    for (const wallet of [hirer, agent.owner])
      expect((await postgres.endJob.call(database.db, { id, wallet, now: at(1) })).outcome).toBe(
        'funding_open',
      )
    const late = at(10_000)
    expect((await postgres.settleJob.call(database.db, { id, ...GAPS, now: late })).outcome).toBe('not_due')
    await postgres.recordDueJobs.call(database.db, { ...RUN, now: late, limit: 100 })
    expect((await rowOf(id)).status).toBe('accepted')
    expect(await actAsChain(database.pool, id, 'confirm', late)).toBe(true)
    expect(await rowOf(id)).toMatchObject({ status: 'funded', due_at: at(14_320) })
  })

  it('lets the deadline pass once it has lapsed', async () => {
    const { id, hirer } = await storeJob('funding')
    expect(await actAsChain(database.pool, id, 'lapse', at(5_000))).toBe(true)
    expect((await postgres.endJob.call(database.db, { id, wallet: hirer, now: at(5_000) })).outcome).toBe(
      'due',
    )
    expect((await postgres.settleJob.call(database.db, { id, ...GAPS, now: at(5_000) })).outcome).toBe(
      'settled',
    )
    expect((await postgres.endJob.call(database.db, { id, wallet: hirer, now: at(5_000) })).outcome).toBe(
      'deadline_passed',
    )
    expect(await actAsChain(database.pool, id, 'confirm', at(5_000))).toBe(false)
    expect(await rowOf(id)).toMatchObject({ status: 'cancelled', end_reason: 'not_funded' })
  })

  it('is either signed or excluded by a cancellation at the same time', async () => {
    const { id, hirer } = await storeJob('accepted')
    const results = await atOnce<unknown>([
      () => actAsChain(database.pool, id, 'fund', at(1)),
      async () => (await postgres.endJob.call(database.db, { id, wallet: hirer, now: at(1) })).outcome,
    ])
    const { status, is_funding } = await rowOf(id)
    expect([
      [true, 'funding_open', 'accepted', true],
      [false, 'recorded', 'cancelled', false],
    ]).toContainEqual([...results, status, is_funding])
  })
})

describe('new orders at the same time', () => {
  it('are one job when they have one reference, and differ by any term', async () => {
    const hirer = await storeWallet()
    const order = { agentId: agent.agentId, hirer, now, reference: 'order 1' }
    const results = await atOnce(range(6).map(() => () => tryToPost(database.db, order)))
    expect(tally(results)).toEqual({ recorded: 1, recorded_before: 5 })
    expect(new Set(results.map(({ jobId }) => jobId)).size).toBe(1)
    const terms = [
      { title: 'x' },
      { brief: 'x' },
      { price: 99n * CRED },
      { judge: 'none' },
      { inputHash: 'x' },
    ]
    const minutes = [{ acceptMinutes: 60 }, { workMinutes: 60 }, { reviewMinutes: 60 }]
    for (const other of [...terms, ...minutes])
      expect((await tryToPost(database.db, { ...order, ...other })).outcome).toBe('job_differs')
  })

  it.each([
    ['5 of a wallet that never paid', UNFUNDED_JOBS_UNPAID, false],
    ['20 of a wallet that paid', UNFUNDED_JOBS, true],
  ])('are at most %s while unfunded', async (_title, limit, pays) => {
    const hirer = await storeWallet()
    if (pays) await query('insert into standings (wallet, paid_weight) values ($1, 1)', hirer)
    const agents = await Promise.all(range(2).map(() => storeWorkingAgent(database.db, now)))
    const orders = range(limit + 6).map((i) =>
      tryToPost(database.db, { agentId: agents[i % 2]?.agentId as string, hirer, now }),
    )
    expect(tally(await Promise.all(orders))).toEqual({ recorded: limit, too_many_unended: 6 })
  })

  it('are rejected while a wallet has 200 jobs that have not ended', async () => {
    const hirer = await storeWallet()
    const { id } = await storeJob('funded', { hirer })
    await copyJobIn(database.pool, id, UNENDED_JOBS - 1)
    const order = { agentId: agent.agentId, hirer, now }
    expect((await tryToPost(database.db, order)).outcome).toBe('too_many_unended')
    await postgres.endJob.call(database.db, { id, wallet: agent.owner, now })
    expect((await tryToPost(database.db, order)).outcome).toBe('recorded')
    await query('update jobs set due_at = $2 where hirer = $1 and due_at is not null', hirer, at(1e7))
  })

  it('count against the client address', async () => {
    const { agentId } = await storeWorkingAgent(database.db, now)
    const order = { agentId, now, addressHash: 'one address', jobsPerAddress: 3 }
    const results = await Promise.all(
      range(8).map(() => tryToPost(database.db, { ...order, hirer: newWallet() })),
    )
    expect(tally(results)).toEqual({ recorded: 3, too_many_jobs: 5 })
  })
})

describe('a full queue of an agent', () => {
  const fill = async (agentId: string, orders: { addressHash: string; hirer?: Wallet; minute: number }[]) => {
    const results = []
    for (const { minute, hirer = newWallet(), addressHash } of orders)
      results.push(await tryToPost(database.db, { agentId, hirer, addressHash, now: at(minute) }))
    return results
  }
  const openOf = async (agentId: string) =>
    (
      await query(
        `select address_hash, count(*)::integer as orders from jobs where agent_id = $1 and status = 'open' group by 1 order by 1`,
        agentId,
      )
    ).map(({ address_hash, orders }) => [address_hash, orders])

  it('drops the oldest order of the address with the most', async () => {
    const { agentId } = await storeWorkingAgent(database.db, now)
    const flood = await fill(
      agentId,
      range(QUEUED_JOBS).map((minute) => ({ addressHash: 'flood', minute })),
    )
    await fill(
      agentId,
      range(10).map((i) => ({ addressHash: 'other', minute: 100 + i })),
    )
    expect(await openOf(agentId)).toEqual([
      ['flood', QUEUED_JOBS - 10],
      ['other', 10],
    ])
    const dropped = await query(
      `select id from jobs where agent_id = $1 and end_reason = 'queue_full' order by created_at`,
      agentId,
    )
    expect(dropped.map(({ id }) => id)).toEqual(flood.slice(0, 10).map(({ id }) => id))
    // However many it orders, the flood gets no more than the other.
    await fill(
      agentId,
      range(70).map((i) => ({ addressHash: 'other', minute: 200 + i })),
    )
    expect(await openOf(agentId)).toEqual([
      ['flood', QUEUED_JOBS / 2],
      ['other', QUEUED_JOBS / 2],
    ])
  })

  it('drops orders of wallets that never paid first, and rejects theirs when there are none', async () => {
    const { agentId } = await storeWorkingAgent(database.db, now)
    const paid = range(QUEUED_JOBS).map(newWallet)
    await query(`insert into standings (wallet, payers_weight) select unnest($1::text[]), 1`, paid)
    const first = paid.slice(1).map((hirer, minute) => ({ hirer, addressHash: 'paid', minute }))
    await fill(agentId, first)
    await fill(agentId, [{ addressHash: 'free', minute: 60 }])
    const [hirer] = paid
    await fill(agentId, [{ hirer: hirer as Wallet, addressHash: 'paid', minute: 61 }])
    expect(await openOf(agentId)).toEqual([['paid', QUEUED_JOBS]])
    const [rejected] = await fill(agentId, [{ addressHash: 'free', minute: 62 }])
    expect(rejected).toMatchObject({ outcome: 'queue_full', jobId: null })
    expect(await openOf(agentId)).toEqual([['paid', QUEUED_JOBS]])
  })

  it('holds 50 orders however many arrive at once', async () => {
    const { agentId } = await storeWorkingAgent(database.db, now)
    const orders = range(QUEUED_JOBS + 20).map((i) =>
      tryToPost(database.db, { agentId, hirer: newWallet(), addressHash: `address ${i % 2}`, now: at(i) }),
    )
    expect(tally(await Promise.all(orders))).toEqual({ recorded: QUEUED_JOBS + 20 })
    expect((await openOf(agentId)).reduce((sum, [, orders]) => sum + Number(orders), 0)).toBe(QUEUED_JOBS)
  })
})

describe('an order', () => {
  it.each([
    ['agent_not_found', { agentId: crypto.randomUUID() }],
    ['judge_not_listed', { judge: newWallet() }],
    ['terms_not_met', { price: CRED - 1n }],
    ['terms_not_met', { minPrice: 101n * CRED }],
    ['recorded', { minPrice: 100n * CRED }],
    ['recorded', { price: CRED, workMinutes: 60 }],
  ])('is %s by the terms of the agent (%#)', async (outcome, changes) => {
    const order = { agentId: agent.agentId, hirer: newWallet(), now, ...changes }
    expect((await tryToPost(database.db, order)).outcome).toBe(outcome)
  })

  it('is rejected by an agent without terms, of its own hirer, or that is not active', async () => {
    const hirer = newWallet()
    const { agentId, owner } = await storeWorkingAgent(database.db, now, { judges: [hirer] })
    const post = (changes: object) =>
      tryToPost(database.db, { agentId, hirer, now, judge: hirer, ...changes })
    // The hirer would judge.
    expect((await post({})).outcome).toBe('judge_not_listed')
    expect((await post({ hirer: owner })).outcome).toBe('own_agent')
    const judges = { minPrice: CRED, workMinutes: 120, judges: ['none', owner] }
    expect((await postgres.setJobTerms.call(database.db, { agentId, owner, ...judges, now })).outcome).toBe(
      'own_judge',
    )
    const others = { ...judges, judges: ['none'] }
    expect(
      (await postgres.setJobTerms.call(database.db, { agentId, owner: hirer, ...others, now })).outcome,
    ).toBe('agent_not_found')
    expect((await postgres.setJobTerms.call(database.db, { agentId, owner, ...others, now })).outcome).toBe(
      'recorded',
    )
    expect((await post({ judge: 'none', workMinutes: 119 })).outcome).toBe('terms_not_met')
    await updateAgent(database.db, {
      ...{ id: agentId, wallet: owner, isOperator: false, details: {}, status: 'inactive' as const, now },
      ...{ ownerFrom: ['active'], operatorFrom: [] },
    })
    expect((await post({ judge: 'none' })).outcome).toBe('not_accepting')
    await postgres.setJobTerms.call(database.db, { agentId: agent.agentId, owner: agent.owner, now })
    expect((await post({ agentId: agent.agentId, judge: 'none' })).outcome).toBe('not_accepting')
    const again = { minPrice: CRED, workMinutes: 60, judges: ['deployment', 'none'] }
    await postgres.setJobTerms.call(database.db, {
      agentId: agent.agentId,
      owner: agent.owner,
      ...again,
      now,
    })
  })

  it('is not accepted under other terms, by others, or by a suspended agent', async () => {
    const { agentId, owner } = await storeWorkingAgent(database.db, now)
    const hirer = newWallet()
    const { id } = await tryToPost(database.db, { agentId, hirer, now })
    const outcomeOf = async (changes: object) =>
      (await accept(database.db, { id, wallet: owner, now, ...changes })).outcome
    expect(await outcomeOf({ termsHash: 'ef'.repeat(32) })).toBe('terms_differ')
    expect(await outcomeOf({ wallet: hirer })).toBe('not_allowed')
    expect(await outcomeOf({ wallet: newWallet() })).toBe('job_not_found')
    await updateAgent(database.db, {
      ...{
        id: agentId,
        wallet: newWallet(),
        isOperator: true,
        details: {},
        status: 'suspended' as const,
        reason: 'Spam',
        now,
      },
      ...{ ownerFrom: [], operatorFrom: ['active'] },
    })
    expect(await outcomeOf({})).toBe('not_accepting')
  })
})

describe('decisions', () => {
  it('belong to the grant that posted or accepted the job, and verdicts to the wallet itself', async () => {
    const { db } = database
    const [posted, accepted, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
    const judge = newWallet()
    const decide = async (id: string, wallet: Wallet, act: string, grant?: string, isJudge = false) =>
      (await postgres.decideJob.call(db, { id, wallet, grant, isJudge, act, amount: CRED, now: at(1) }))
        .outcome
    const { id, hirer } = await storeJob('open', { grant: posted })
    await accept(db, { id, wallet: agent.owner, grant: accepted, now })
    await actAsChain(database.pool, id, 'fund', now)
    await actAsChain(database.pool, id, 'confirm', now)
    await postgres.deliverJob.call(db, { id, wallet: agent.owner, delivery: 'Text', now })
    for (const [wallet, grant] of [
      [hirer, other],
      [hirer, accepted],
      [agent.owner, posted],
    ] as const)
      expect((await postgres.proposeSplit.call(db, { id, wallet, grant, amount: 0n, now })).outcome).toBe(
        'foreign_job',
      )
    expect(
      (await postgres.objectJob.call(db, { id, wallet: hirer, grant: other, reason: 'No', now })).outcome,
    ).toBe('foreign_job')
    expect(
      (await postgres.objectJob.call(db, { id, wallet: hirer, grant: posted, reason: 'No', now })).outcome,
    ).toBe('recorded')
    expect(
      (await postgres.objectJob.call(db, { id, wallet: hirer, grant: posted, reason: 'No', now })).outcome,
    ).toBe('recorded_before')
    expect((await postgres.objectJob.call(db, { id, wallet: hirer, reason: 'Never', now })).outcome).toBe(
      'job_changed',
    )
    expect(await decide(id, hirer, 'approve', other)).toBe('foreign_job')
    expect(await decide(id, agent.owner, 'concede', posted)).toBe('foreign_job')
    expect(await decide(id, judge, 'judge', other, true)).toBe('foreign_job')
    expect(await decide(id, judge, 'judge')).toBe('job_not_found')
    expect(await decide(id, hirer, 'judge', undefined, true)).toBe('not_allowed')
    expect(await decide(id, hirer, 'concede')).toBe('not_allowed')
    expect(await decide(id, agent.owner, 'approve')).toBe('not_allowed')
    const verdict = { id, wallet: judge, isJudge: true, act: 'judge', amount: 40n * CRED, now: at(1) }
    expect((await postgres.decideJob.call(db, { ...verdict, amount: 101n * CRED })).outcome).toBe(
      'amount_too_high',
    )
    expect((await postgres.decideJob.call(db, { ...verdict, reason: 'Half of it is good' })).outcome).toBe(
      'recorded',
    )
    expect((await postgres.decideJob.call(db, verdict)).outcome).toBe('recorded_before')
    expect((await postgres.decideJob.call(db, { ...verdict, amount: CRED })).outcome).toBe('job_changed')
    expect(await decide(id, hirer, 'approve')).toBe('job_changed')
    const texts = await query('select kind, text from job_texts where job_id = $1 order by kind', id)
    expect(texts.map(({ kind }) => kind)).toEqual(['delivery', 'objection', 'verdict'])
  })

  it('are nobody’s when the job has no judge', async () => {
    const { id } = await storeJob('disputed', { judge: 'none' })
    const verdict = { id, wallet: newWallet(), isJudge: true, act: 'judge', amount: CRED, now: at(1) }
    expect((await postgres.decideJob.call(database.db, verdict)).outcome).toBe('job_not_found')
  })

  it('of a named judge are that wallet’s alone', async () => {
    const judge = newWallet()
    const { agentId, owner } = await storeWorkingAgent(database.db, now, { judges: [judge] })
    const { id } = await storeJob('disputed', { agentId, judge }, owner)
    const decide = async (wallet: Wallet, isJudge: boolean) =>
      (
        await postgres.decideJob.call(database.db, {
          id,
          wallet,
          isJudge,
          act: 'judge',
          amount: 0n,
          now: at(1),
        })
      ).outcome
    expect(await decide(newWallet(), true)).toBe('job_not_found')
    expect(await decide(judge, false)).toBe('recorded')
    expect(await rowOf(id)).toMatchObject({ status: 'rejected', agent_amount: '0' })
  })
})

describe('deadlines', () => {
  it('of one bad job stop no other', async () => {
    const bad = await storeJob('funded')
    const good = await storeJob('funded')
    await query(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'bad'; end $$`,
    )
    await query(
      `create trigger fails before update on jobs for each row when (old.id = '${bad.id}') execute function fail()`,
    )
    const run = await postgres.recordDueJobs.call(database.db, { ...RUN, now: at(4_320), limit: 1_000 })
    expect(run.failed).toEqual([bad.id])
    expect((await rowOf(good.id)).status).toBe('expired')
    expect((await rowOf(bad.id)).status).toBe('funded')
    await query('drop trigger fails on jobs')
    const next = await postgres.recordDueJobs.call(database.db, { ...RUN, now: at(4_320), limit: 1_000 })
    expect(next).toMatchObject({ settled: 1, failed: [] })
    expect(next.nextDueAt?.getTime()).toBeGreaterThan(at(4_320).getTime())
  })

  it('of bad jobs leave room for later ones when they fill the first batch', async () => {
    // Jobs of other tests.
    await postgres.recordDueJobs.call(database.db, { ...RUN, now: at(4_400), limit: 1_000 })
    const bad = [await storeJob('funded'), await storeJob('funded')].map(({ id }) => id)
    await query(
      `create or replace function fail() returns trigger language plpgsql as $$ begin raise exception 'bad'; end $$`,
    )
    await query(
      `create trigger fails before update on jobs for each row when (old.id in ('${bad.join("', '")}')) execute function fail()`,
    )
    const good = await storeJob('funded', { now: at(1) })
    const run = (except: string[]) =>
      postgres.recordDueJobs.call(database.db, { ...RUN, except, now: at(4_400), limit: 2 })
    const first = await run([])
    expect(first).toMatchObject({ settled: 0, failed: expect.arrayContaining(bad) })
    expect(await run(first.failed)).toMatchObject({ settled: 1, failed: [] })
    expect((await rowOf(good.id)).status).toBe('expired')
    await query('drop trigger fails on jobs')
    expect(await run([])).toMatchObject({ settled: 2, failed: [] })
  })

  it('are left to the next run when another transaction has the agent', async () => {
    const { id } = await storeJob('funded')
    const run = () => postgres.recordDueJobs.call(database.db, { ...RUN, now: at(4_320), limit: 1_000 })
    const locked = await whileLocked(
      { url: database.url, lock: 'select from agents where id = $1 for no key update', id: agent.agentId },
      run,
    )
    expect(locked).toMatchObject({ settled: 0, nextDueAt: at(4_320) })
    expect((await run()).settled).toBe(1)
    expect((await rowOf(id)).end_reason).toBe('no_delivery')
  })

  it('move by outages before they pass, and by an operator', async () => {
    const { id } = await storeJob('funded')
    const outage = { gapsFrom: [at(4_300)], gapsUntil: [at(4_330)] }
    const settled = await postgres.settleJob.call(database.db, { id, ...outage, now: at(4_330) })
    expect(settled).toMatchObject({ outcome: 'extended', dueAt: at(4_390) })
    const extend = () =>
      postgres.extendJobs.call(database.db, { until: at(4_450), now: at(4_330), limit: 1_000 })
    expect((await extend()).extended).toBeGreaterThan(0)
    expect((await rowOf(id)).due_at).toEqual(at(4_450))
    expect((await extend()).extended, 'repeated').toBe(0)
    expect((await rowOf(id)).due_at).toEqual(at(4_450))
    // Once more it moves nothing, and the default applies.
    const run = await postgres.recordDueJobs.call(database.db, {
      ...RUN,
      ...outage,
      now: at(4_450),
      limit: 1_000,
    })
    expect(run.extended).toBe(0)
    expect(await rowOf(id)).toMatchObject({ status: 'expired', ended_at: at(4_450) })
  })

  it('of funded jobs are moved by an operator although unfunded ones are earlier', async () => {
    await storeJob('open', { acceptMinutes: 60 })
    await storeJob('funded')
    const call = { until: at(4_321), now: at(30), limit: 1 }
    expect((await postgres.extendJobs.call(database.db, call)).extended).toBe(1)
  })
})

describe('old rows', () => {
  it('are deleted a week or a month after the end, and texts of funded jobs', async () => {
    const day = 24 * 60
    const { id: open, hirer } = await storeJob('open')
    await postgres.endJob.call(database.db, { id: open, wallet: hirer, now })
    const accepted = await storeJob('accepted')
    await postgres.endJob.call(database.db, { id: accepted.id, wallet: agent.owner, now })
    const paid = await storeJob('disputed')
    await postgres.decideJob.call(database.db, {
      id: paid.id,
      wallet: paid.hirer,
      isJudge: false,
      act: 'approve',
      now,
    })
    const sweep = (minutes: number) =>
      postgres.deleteEndedJobs.call(database.db, { now: at(minutes), limit: 1_000 })
    const left = async () => {
      const rows = await query('select id from jobs where id = any ($1)', [open, accepted.id, paid.id])
      const texts = await query('select from job_texts where job_id = $1', paid.id)
      return [rows.length, texts.length]
    }
    await sweep(7 * day - 1)
    expect(await left()).toEqual([3, 2])
    await sweep(7 * day)
    expect(await left()).toEqual([2, 2])
    await sweep(30 * day - 1)
    expect(await left()).toEqual([2, 2])
    await sweep(30 * day)
    expect(await left()).toEqual([1, 0])
    expect(await rowOf(paid.id)).toMatchObject({ title: 'Translate', forget_at: null, status: 'completed' })
    await sweep(40 * day)
    expect(await sweep(40 * day)).toEqual({ deleted: 0, emptied: 0 })
  })

  it('lose their texts when an operator deletes them, and nothing else', async () => {
    const { id } = await storeJob('delivered')
    const before = await rowOf(id)
    expect((await postgres.deleteJobTexts.call(database.db, { id })).outcome).toBe('recorded')
    expect(await rowOf(id)).toEqual({ ...before, title: '', brief: '' })
    expect(await query('select from job_texts where job_id = $1', id)).toEqual([])
    expect((await postgres.deleteJobTexts.call(database.db, { id: crypto.randomUUID() })).outcome).toBe(
      'job_not_found',
    )
  })
})

describe('the table', () => {
  it.each([
    ['another end', `status = 'rejected'`],
    ['another amount', 'agent_amount = 1, hirer_amount = price - 1'],
    ['another reason', `end_reason = 'agreed'`],
    ['another price', 'price = price + 1'],
    ['another delivery', `delivery_hash = 'x'`],
    ['another hirer', `hirer = 'x'`],
    ['other terms', `terms_hash = 'x'`],
    ['another key version', 'key_version = 2'],
  ])('rejects %s of an ended job', async (_title, change) => {
    const { id, hirer } = await storeJob('delivered')
    await postgres.decideJob.call(database.db, { id, wallet: hirer, isJudge: false, act: 'approve', now })
    await expect(query(`update jobs set ${change} where id = $1`, id)).rejects.toMatchObject({
      code: 'AC409',
    })
  })

  const half = 'agent_amount = price / 2, hirer_amount = price - price / 2'
  const ended = `ended_at = due_at, due_at = null, address_hash = null`
  it.each([
    ['open', 'jobs_accepted', `status = 'accepted', address_hash = null`],
    ['open', 'jobs_queued', `address_hash = null`],
    ['open', 'jobs_sides', `owner = hirer`],
    ['accepted', 'jobs_funded', `status = 'funded'`],
    ['accepted', 'jobs_ended', `status = 'cancelled'`],
    ['accepted', 'jobs_end_reason', `status = 'cancelled', end_reason = 'approved', ${ended}`],
    ['funding', 'jobs_funding', `status = 'cancelled', end_reason = 'withdrawn', ${ended}`],
    ['funded', 'jobs_delivered', `status = 'delivered'`],
    ['funded', 'jobs_proposals', 'hirer_proposal = price + 1'],
    [
      'funded',
      'jobs_paid',
      `status = 'completed', end_reason = 'approved', agent_amount = price, hirer_amount = 0, ${ended}`,
    ],
    ['delivered', 'jobs_disputed', `status = 'disputed'`],
    [
      'delivered',
      'jobs_delivered',
      `status = 'expired', end_reason = 'no_delivery', agent_amount = 0, hirer_amount = price, ${ended}`,
    ],
    ['delivered', 'jobs_disputed', `status = 'completed', end_reason = 'judged', ${half}, ${ended}`],
    [
      'delivered',
      'jobs_paid_in_full',
      `status = 'completed', end_reason = 'review_time_over', ${half}, ${ended}`,
    ],
    [
      'disputed',
      'jobs_amounts',
      `status = 'completed', end_reason = 'judged', agent_amount = 1, hirer_amount = 1, ${ended}`,
    ],
    ['disputed', 'jobs_amounts', `status = 'completed', end_reason = 'judged', ${ended}`],
    ['disputed', 'jobs_amounts', `status = 'rejected', end_reason = 'judged', ${half}, ${ended}`],
    [
      'disputed',
      'jobs_halved',
      `status = 'completed', end_reason = 'no_verdict', agent_amount = 1, hirer_amount = price - 1, ${ended}`,
    ],
  ] as const)('of a job that is %s rejects by %s: %s', async (state, constraint, change) => {
    const { id } = await storeJob(state)
    const update = change.includes('owner =')
      ? `insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object('owner', hirer, 'id', gen_random_uuid(), 'reference', 'x'))).* from jobs where id = $1`
      : `update jobs set ${change} where id = $1`
    await expect(query(update, id)).rejects.toMatchObject({ code: '23514', constraint })
  })
})
