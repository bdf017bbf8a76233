import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as postgres from '../../lib/db/functions.ts'
import { firstIdOf } from '../../lib/id-range.ts'
import { selectOwing } from '../../lib/payments/jobs/audit-queries.ts'
import {
  findPaidJob,
  recordClosed,
  selectClosableJobs,
  selectOverIntents,
  selectUnpaidJobs,
} from '../../lib/payments/jobs/job-queries.ts'
import { selectTotalsOf } from '../../lib/payments/totals/totals-queries.ts'
import { jobById, selectDisputes, selectJobs, textsOfJob } from '../../lib/work/job-queries.ts'
import { countUndecided } from '../../lib/work/silent-judge-queries.ts'
import { jobStatuses, MAX_CHARGED } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { type Plan, plannedDatabase } from '../support/plans.ts'

/*
 * Plans of the statements about jobs, over 250,000 jobs: 100,000 of one hirer, and 100,000 of one agent. Of
 * 30,000 disputes 20,000 have one price. 50,000 other jobs wait for their deadlines.
 */

const LIMIT = 51
const HOUR_MS = 3_600_000
const now = new Date('2026-06-01T00:00:00.000Z')
const wallet = (name: string) => name as Wallet
const idOf = (n: number) =>
  n
    .toString(16)
    .padStart(32, '0')
    .replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const FIRST_ID = firstIdOf(0)
/** The others are empty here: test/postgres/plans.long.test.ts. */
const MANY_ROWS = [
  'jobs',
  'job_texts',
  'payment_intent_jobs',
  'payment_intents',
  'agents',
  'job_terms',
  'wallets',
]
/** The agent with many jobs, and one with a few of the hirer's. */
const BUSY = idOf(1)
const RARE = idOf(19_000)

/**
 * Inserts jobs with the numbers of a range. Of ten ended ones six are completed, and one each rejected,
 * expired, and cancelled before and after the acceptance. Of the funded ones one in a thousand is not paid
 * out, and one in twenty not closed.
 */
const jobsOf = (
  [from, to]: [number, number],
  { agent, hirer, status, price = '100' }: { agent: string; hirer: string; status: string; price?: string },
) => `insert into jobs (id, agent_id, owner, hirer, reference, title, brief, price, fee_bps, judge, accept_minutes, work_minutes,
    review_minutes, terms_hash, salt, status, due_at, counted_at, created_at, accepted_at, key_version, funded_at, delivered_at,
    delivery_hash, disputed_at, ended_at, end_reason, agent_amount, hirer_amount, address_hash, forget_at, escrow, escrow_seed,
    paid_at, fee, refunded_at, escrow_closed_at)
  select lpad(to_hex(n), 32, '0')::uuid, lpad(to_hex(agent), 32, '0')::uuid, 'owner' || agent, hirer, n::text, 'title', 'brief', price, 100,
    case when n % 3 = 0 then 'deployment' else 'judge' end, 60, 60, 60, 'hash', 'salt', status,
    case when ended is null then time + interval '1 year' end, time, time, case when is_accepted then time end, case when is_accepted then 1 end,
    case when is_funded then time end, case when is_delivered then time end, case when is_delivered then 'hash' end,
    case when status = 'disputed' then time end, ended,
    case status when 'completed' then 'approved' when 'rejected' then 'conceded' when 'expired' then 'gave_up'
      when 'cancelled' then case when is_accepted then 'not_funded' else 'nobody_accepted' end end,
    case when is_funded and ended is not null then paid end, case when is_funded and ended is not null then price - paid end,
    case when status = 'open' then 'address' || n end, case when status = 'cancelled' then time + interval '30 days' end,
    case when is_funded then 'escrow' || n end, case when is_funded then 'seed' end,
    case when is_out and paid > 0 then time end, case when is_out and paid > 0 then 1 end,
    case when is_out and paid < price then time end, case when is_out and n % 20 > 0 then time end
  from generate_series(${from}, ${to}) as n, lateral (select ${agent} as agent, ${hirer} as hirer, ${status} as status, ${price} as price,
      timestamptz '2026-01-01' + n * interval '1 second' as time) as one,
    lateral (select case when status in ('completed', 'rejected', 'expired', 'cancelled') then time end as ended,
      status <> 'open' and (status <> 'cancelled' or n % 20 < 10) as is_accepted,
      status not in ('open', 'accepted', 'cancelled') as is_funded,
      status in ('delivered', 'disputed', 'completed', 'rejected') as is_delivered,
      case when status = 'completed' then price else 0 end as paid) as two,
    lateral (select ended is not null and is_funded and n % 1000 <> 501 and n % 1000 <> 507 as is_out) as three`

const ended = `(array['completed','completed','completed','completed','completed','completed','completed','rejected','expired','cancelled'])[1 + n % 10]`
const HIRERS: [number, number] = [1, 100_000]
const AGENTS: [number, number] = [100_001, 200_000]
const DISPUTES: [number, number] = [200_001, 230_000]
const OTHERS: [number, number] = [230_001, 280_000]

let database: Awaited<ReturnType<typeof plannedDatabase>>
beforeAll(async () => {
  database = await plannedDatabase()
  const statements = [
    `set session_replication_role = replica`,
    `insert into agents (id, pubkey, name, agent_type, supported_layers, fee_model, fee_amount, reputation_score, status, registered_at)
     select lpad(to_hex(n), 32, '0')::uuid, 'owner' || n, 'Agent', 'oracle', '{1}', 'flat', 5, 0, 'active', '2026-01-01' from generate_series(1, 20000) as n`,
    `insert into job_terms (agent_id, min_price, work_minutes, judges, set_at) select id, 1, 60, '{deployment,none}', '2026-01-01' from agents`,
    `insert into wallets (address, first_login_at, last_login_at) select pubkey, '2026-01-01', '2026-01-01' from agents`,
    // Of the hirer's last 200 jobs none has ended.
    jobsOf(HIRERS, {
      agent: 'case when n % 20000 = 7 then 19000 else 2 + n % 1000 end',
      hirer: `'hirer'`,
      status: `case when n <= 99800 then ${ended} else (array['open','accepted','funded','delivered'])[1 + n % 4] end`,
    }),
    jobsOf(AGENTS, {
      agent: '1',
      hirer: `'hirer' || n`,
      status: `case when n % 100 = 0 then 'funded' when n % 2000 = 1 then 'open' else ${ended} end`,
    }),
    jobsOf(DISPUTES, {
      agent: '2000 + n % 5000',
      hirer: `'hirer' || n % 5000`,
      status: `'disputed'`,
      price: 'case when n <= 220000 then 100 else n end',
    }),
    jobsOf(OTHERS, {
      agent: '8000 + n % 5000',
      hirer: `'hirer' || n % 5000`,
      status: `case when n <= 270000 then 'open' else 'delivered' end`,
    }),
    `update jobs set due_at = '2026-05-01' where status = 'open' and id between '${idOf(230_001)}' and '${idOf(230_500)}'`,
    `update jobs set due_at = '2026-05-02' where status = 'delivered' and id > '${idOf(279_500)}'`,
    `update jobs set is_funding = true where status = 'accepted' and hirer = 'hirer'`,
    `update jobs set due_at = '2026-06-01 12:00' where status = 'disputed' and id <= '${idOf(200_030)}'`,
    `insert into job_texts (job_id, kind, text, created_at) select id, kind, 'text', created_at from jobs, unnest('{delivery,objection}'::text[]) as kind
     where status = 'disputed' or status = 'completed' and id > '${idOf(190_000)}'`,
    `insert into payment_intents (id, wallet, kind, status, generation, transaction, message, last_valid_block_height,
       built_slot, created_at, asked_at, cosigned_at, cosigned_message, network_signature, jobs_settled_at)
     select id, hirer, 'fund_job', 'landed', 1, 'AQ==', 'm' || id, 1, 1, created_at, '1970-01-01', created_at, 'm', 's', created_at from jobs where funded_at is not null`,
    `insert into payment_intent_jobs (intent_id, job_id, address, seed, amount, fee) select id, id, escrow, 'seed', 100, 0 from jobs where escrow is not null`,
  ]
  await database.client.query(statements.join(';\n'))
  await database.client.query('vacuum analyze')
  await database.client.query('set session_replication_role = origin')
}, 240_000)
afterAll(() => database.close())

async function hold(mostRead: number, call: () => Promise<unknown>): Promise<Plan[]> {
  const plans = await database.plansOf(call)
  expect(plans.length).toBeGreaterThan(0)
  for (const { scanned, rowsRead, rowsSorted } of plans) {
    expect(scanned.filter((table) => MANY_ROWS.includes(table))).toEqual([])
    expect(rowsRead).toBeLessThanOrEqual(mostRead)
    expect(rowsSorted).toBeLessThanOrEqual(10 * LIMIT)
  }
  return plans
}

describe('GET /jobs', () => {
  const sides = [
    { role: 'hirer', of: 'hirer' },
    { role: 'hirer', of: 'hirer', agentId: RARE },
    { role: 'agent', of: 'owner1' },
    { role: 'agent', of: 'owner1', agentId: BUSY },
  ] as const
  const statuses = [{}, ...jobStatuses.map((status) => ({ status }))]
  // A page of each status; then the jobs of one page, their agents' names and stray escrows.
  const mostRead = (filter: object) => (('status' in filter ? 1 : jobStatuses.length) + 3) * LIMIT + 1

  it.each(sides.flatMap((side) => statuses.map((status) => ({ ...side, ...status }))))(
    '%j: of 100,000 a page is read in order, and so is a later one',
    async ({ of, ...filter }) => {
      const list = (beforeId?: string) =>
        selectJobs(database.db, { wallet: wallet(of), ...filter, beforeId, limit: LIMIT })
      await hold(mostRead(filter), () => list())
      const page = await list()
      await hold(mostRead(filter), () => list(page[5]?.id ?? FIRST_ID))
    },
  )

  it('shows a few jobs at one agent among 100,000 of the hirer', async () => {
    const page = { wallet: wallet('hirer'), role: 'hirer', limit: LIMIT } as const
    expect(await selectJobs(database.db, { ...page, agentId: RARE })).toHaveLength(5)
    // Entries of an index, and no rows of the table.
    const [plan] = await hold(100, () => selectJobs(database.db, { ...page, agentId: RARE }))
    expect(plan?.pages).toBeLessThanOrEqual(2_000)
  })

  it.each(['hirer', 'agent'] as const)('to a stranger as %s an agent has none, at once', async (role) => {
    const page = { wallet: wallet('nobody'), role, agentId: BUSY, limit: LIMIT }
    const [plan] = await hold(5, () => selectJobs(database.db, page))
    expect(plan?.pages).toBeLessThanOrEqual(50)
    expect(await selectJobs(database.db, page)).toEqual([])
  })

  it.each([{}, { agentId: idOf(2_500) }])(
    'of 30,000 disputes of a judge a page is read in order: %j',
    async (filter) => {
      const list = (beforePrice = MAX_CHARGED as bigint, beforeId = FIRST_ID) =>
        selectDisputes(database.db, {
          ...{ wallet: wallet('judge'), judges: ['judge', 'deployment'], limit: LIMIT },
          ...filter,
          beforePrice,
          beforeId,
        })
      // A page of each judge; then the jobs of one page, their agents' names and stray escrows.
      await hold(5 * LIMIT, () => list())
      expect((await list()).length).toBeGreaterThan(5)
      // In the middle of one price.
      await hold(5 * LIMIT, () => list(100n, idOf(210_000)))
      expect((await list(100n, idOf(210_000))).length).toBeGreaterThan(1)
    },
  )
})

describe('a job', () => {
  it('is read by its id, with its texts', async () => {
    await hold(4, () => jobById.run(database.db, { id: idOf(220_000) }))
    await hold(4, () => textsOfJob.run(database.db, { id: idOf(220_000) }))
    await hold(4, () => findPaidJob(database.db, idOf(220_000)))
    await hold(10, () => selectOverIntents(database.db, idOf(220_000), 20))
  })

  it('is ordered by its hirer’s unended jobs and the agent’s queue alone', async () => {
    const order = {
      ...{ id: crypto.randomUUID(), reference: 'new', title: 'title', brief: 'brief', agentId: BUSY, now },
      ...{ price: 100n, minPrice: 1n, feeBps: 100, judge: 'deployment', termsHash: 'hash', salt: 'salt' },
      ...{ acceptMinutes: 60, workMinutes: 60, reviewMinutes: 60, addressHash: 'new', jobsPerAddress: 60 },
    }
    await hold(250, () => postgres.postJob.call(database.db, { ...order, hirer: wallet('hirer') }))
    // The queue is full: the oldest of the fullest address yields.
    await hold(700, () => postgres.postJob.call(database.db, { ...order, hirer: wallet('nobody') }))
    expect(await postgres.postJob.call(database.db, { ...order, hirer: wallet('nobody') })).toMatchObject({
      outcome: 'recorded',
    })
  })

  it('is accepted, delivered, decided and settled by its row', async () => {
    const { db } = database
    const [open, funded, delivered] = [idOf(102_001), idOf(100_100), idOf(275_000)]
    const of = { wallet: wallet('owner1'), now }
    const job = { id: open, ...of, termsHash: 'hash', keyVersion: 1 }
    await hold(20, () => postgres.acceptJob.call(db, job))
    await hold(20, () => postgres.endJob.call(db, { id: open, ...of }))
    await hold(20, () => postgres.deliverJob.call(db, { id: funded, ...of, delivery: 'text' }))
    const hirer = wallet(`hirer${275_000 % 5_000}`)
    await hold(20, () => postgres.objectJob.call(db, { id: delivered, wallet: hirer, reason: 'no', now }))
    await hold(20, () => postgres.proposeSplit.call(db, { id: delivered, wallet: hirer, amount: 5n, now }))
    await hold(20, () =>
      postgres.decideJob.call(db, { id: delivered, wallet: hirer, isJudge: false, act: 'approve', now }),
    )
    await hold(20, () => postgres.settleJob.call(db, { id: idOf(279_900), gapsFrom: [], gapsUntil: [], now }))
    await hold(20, () => postgres.deleteJobTexts.call(db, { id: idOf(220_000) }))
  })
})

describe('the job runs', () => {
  it('settle due deadlines, and find the next of funded jobs and of others', async () => {
    const run = { gapsFrom: [], gapsUntil: [], except: [], now, limit: 20 }
    await hold(20 * 20, () => postgres.recordDueJobs.call(database.db, run))
    const done = await postgres.recordDueJobs.call(database.db, { ...run, limit: 2_000 })
    expect(done).toMatchObject({ settled: 500 + 500, failed: [] })
    await hold(20, () => postgres.recordDueJobs.call(database.db, run))
    const again = await postgres.recordDueJobs.call(database.db, run)
    expect(again.nextDueAt).toEqual(new Date('2026-06-01T12:00:00.000Z'))
    expect(again.nextUnfundedDueAt?.getTime()).toBeGreaterThan(now.getTime())
  })

  it('extend deadlines that pass soon', () =>
    hold(30 * 20, () =>
      postgres.extendJobs.call(database.db, {
        until: new Date(now.getTime() + 24 * HOUR_MS),
        now,
        limit: 20,
      }),
    ))

  it('count the disputes that nobody decides, and jobs that are overdue', () =>
    hold(40, () =>
      countUndecided(database.db, {
        from: now,
        until: new Date(now.getTime() + 24 * HOUR_MS),
        overdue: new Date(now.getTime() - HOUR_MS),
      }),
    ))

  it('delete what is old, the oldest first', async () => {
    await hold(20 * 12, () => postgres.deleteEndedJobs.call(database.db, { now, limit: 20 }))
    await hold(5, () => postgres.deleteEndedJobs.call(database.db, { now: new Date(0), limit: 20 }))
  })

  it('read the escrows that owe something, page by page', async () => {
    const page = { fundedBefore: now, limit: 100 }
    const after = { hirer: wallet(''), id: FIRST_ID }
    // One unclosed escrow in 25 owes something.
    await hold(30 * 100, () => selectOwing(database.db, { ...page, after }))
    await hold(30 * 100, () =>
      selectOwing(database.db, { ...page, after: { ...after, hirer: wallet('hirer2') } }),
    )
    const ids = [idOf(501), idOf(100_507)]
    await hold(20, () => selectOwing(database.db, { ...page, after, ids }))
  })
})

describe('the money of jobs', () => {
  /** The 5,300 escrows of the hirer that are not closed: of an index and its table both count. */
  const UNCLOSED = 2 * 5_300
  /** Its jobs that have not ended, whose prices are summed up, too. */
  const RUNNING = 200
  const side = { now, firstMonth: '2025-06-01', thisMonth: '2026-06-01' }

  it('due to a wallet is read from its unclosed escrows, of 100,000 jobs', async () => {
    const [hirer, owner] = [wallet('hirer'), wallet('owner1')]
    await hold(UNCLOSED + RUNNING, () =>
      selectTotalsOf(database.db, { ...side, wallet: hirer, role: 'hirer' }),
    )
    await hold(UNCLOSED, () => selectTotalsOf(database.db, { ...side, wallet: owner, role: 'owner' }))
    expect(await selectUnpaidJobs(database.db, { owner, limit: LIMIT })).not.toEqual([])
    await hold(2 * LIMIT, () => selectUnpaidJobs(database.db, { owner, limit: LIMIT }))
    await hold(2, () => selectUnpaidJobs(database.db, { owner, jobId: idOf(100_507), limit: LIMIT }))
  })

  it('escrows that a hirer can close are found among 100,000 jobs', async () => {
    const hirer = wallet('hirer')
    await hold(6 * LIMIT, () => selectClosableJobs(database.db, { hirer, limit: LIMIT }))
    expect(await selectClosableJobs(database.db, { hirer, limit: LIMIT })).toHaveLength(LIMIT)
    await hold(2, () => selectClosableJobs(database.db, { hirer, jobId: idOf(20), limit: LIMIT }))
    await hold(UNCLOSED, () =>
      recordClosed(database.db, { hirer, escrows: ['escrow20', 'escrow40'] as never, now }),
    )
  })
})
