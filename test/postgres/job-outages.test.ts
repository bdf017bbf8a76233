import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AlarmClock, type JobRuns, type Timer } from '../../lib/clock/clock.ts'
import { dueAt, type Job } from '../../lib/clock/jobs.ts'
import * as postgres from '../../lib/db/functions.ts'
import { deleteTexts, extendDeadlines } from '../../lib/work/operate.ts'
import { recordDueDeadlines, settledAt } from '../../lib/work/record-due.ts'
import { deleteOldJobs } from '../../lib/work/retention.ts'
import { alertSilentJudges } from '../../lib/work/silent-judges.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { accept, actAsChain, copyJobIn, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { newWallet } from '../support/stored-agents.ts'

// The Clock has no runtime here: what it has of it is its constructor's parameters.
vi.mock('cloudflare:workers', () => ({
  DurableObject: class {
    ctx: unknown
    constructor(ctx: unknown) {
      this.ctx = ctx
    }
  },
}))

const START = Date.UTC(2026, 10, 23, 10, 0)
const MINUTE = 60_000
const HOUR = 60
const WORK_MINUTES = 3 * HOUR
const at = (minutes: number) => new Date(START + minutes * MINUTE)

const database = useDatabase()
const { query } = database
let agent: { agentId: string; owner: Wallet }
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, at(0))
})
beforeEach(() => query('delete from jobs'))

type Span = { from: number; until: number }
const isIn = (spans: readonly Span[], minute: number) =>
  spans.some(({ from, until }) => from <= minute && minute < until)

/** A Clock that lives minute by minute, with the Worker `work` and a database that have outages. */
async function startClock({ work = [], db = [] }: { work?: Span[]; db?: Span[] } = {}) {
  let minute = 0
  let alarm: number | null = null
  const stored: Record<string, unknown> = { schedule: { dues: {} } }
  const runs: { settled: number; extended: number; failed: string[] }[] = []
  let wakes = 0
  const now = () => START + minute * MINUTE
  class TestClock extends AlarmClock<object> {
    override now() {
      return now()
    }
    override elapsed = () => now()
    override timer = (): Timer => ({
      get: async () => alarm,
      set: async (time) => {
        alarm = time
      },
    })
    override jobRuns = (): JobRuns => ({
      wakeDatabase: async () => {
        wakes += 1
        if (isIn(db, minute)) throw new Error('down')
      },
      run: async (job: Job) => {
        if (job !== 'deadlines') return undefined
        const deps = { db: database.db, now: new Date(now()), notify: () => {} }
        const { due, ...run } = await recordDueDeadlines(deps, await this.outages(now()))
        runs.push(run)
        return due
      },
    })
  }
  const storage = {
    get: async (key: string) => structuredClone(stored[key]),
    put: async (key: string, value: unknown) => {
      stored[key] = structuredClone(value)
    },
  }
  let loaded: Promise<void> | undefined
  const blockConcurrencyWhile = (load: () => Promise<void>) => {
    loaded = load()
  }
  const ctx = { storage, blockConcurrencyWhile }
  const clock = new TestClock(ctx as unknown as DurableObjectState, {})
  await loaded
  return {
    clock,
    runs,
    wakes: () => wakes,
    async liveUntil(end: number) {
      while (minute < end) {
        minute += 1
        if (minute % 10 === 0) {
          await clock.check()
          if (!isIn(work, minute)) await clock.answered()
        }
        if (alarm !== null && alarm <= now()) {
          alarm = null
          await clock.alarm()
        }
      }
    },
  }
}

/** Stores a job that is funded at the start, to be delivered after three hours. */
async function storeFunded() {
  const hirer = newWallet()
  const terms = { agentId: agent.agentId, hirer, now: at(0), workMinutes: WORK_MINUTES }
  const { id } = await tryToPost(database.db, terms)
  await accept(database.db, { id, wallet: agent.owner, now: at(0) })
  await actAsChain(database.pool, id, 'fund', at(0))
  await actAsChain(database.pool, id, 'confirm', at(0))
  return id
}
const rowOf = async (id: string) => (await query('select * from jobs where id = $1', id))[0]

/** Runs a funded job through outages, in minutes. @returns the minute of its deadline when it ended */
async function endAfter(outages: { work?: Span[]; db?: Span[] }) {
  const id = await storeFunded()
  const { clock, liveUntil } = await startClock(outages)
  await clock.wakeBy('deadlines', dueAt('deadlines', START + WORK_MINUTES * MINUTE))
  await liveUntil(24 * HOUR)
  const { status, end_reason, ended_at } = await rowOf(id)
  expect([status, end_reason]).toEqual(['expired', 'no_delivery'])
  return (ended_at.getTime() - START) / MINUTE
}

describe('a deadline', () => {
  it('stays when nothing was down', async () => {
    expect(await endAfter({})).toBe(WORK_MINUTES)
  })

  it('stays when `work` was down for less than one report', async () => {
    expect(await endAfter({ work: [{ from: 91, until: 100 }] })).toBe(WORK_MINUTES)
  })

  it('moves by the outage when `work` was down for 16 minutes', async () => {
    // Reports at 90 and 110.
    expect(await endAfter({ work: [{ from: 92, until: 108 }] })).toBe(WORK_MINUTES + 20)
  })

  it('moves to an hour after the outage when `work` was down for 20 minutes at the deadline', async () => {
    expect(await endAfter({ work: [{ from: 165, until: 185 }] })).toBe(190 + HOUR)
  })

  it('moves by the outage when `work` was down for two hours', async () => {
    expect(await endAfter({ work: [{ from: 31, until: 151 }] })).toBe(WORK_MINUTES + 130)
  })

  it('moves once more when an outage began in the extension', async () => {
    const work = [
      { from: 165, until: 185 },
      { from: 205, until: 225 },
    ]
    // Moved to 250 by the first, and by the second for 30 minutes to 280, or an hour after 230.
    expect(await endAfter({ work })).toBe(230 + HOUR)
  })

  it('stays when the outage began after it', async () => {
    expect(await endAfter({ work: [{ from: WORK_MINUTES + 1, until: WORK_MINUTES + 180 }] })).toBe(
      WORK_MINUTES,
    )
  })

  it('moves when the database did not wake for two hours', async () => {
    const id = await storeFunded()
    const { clock, liveUntil } = await startClock({ db: [{ from: 60, until: 180 }] })
    await clock.wakeBy('deadlines', dueAt('deadlines', START + WORK_MINUTES * MINUTE))
    await clock.wakeBy('hires', dueAt('hires', START + 60 * MINUTE))
    await liveUntil(12 * HOUR)
    const outages = await clock.outages(START + 12 * HOUR * MINUTE)
    expect(outages).toHaveLength(1)
    const [{ from, until }] = outages as [{ from: number; until: number }]
    expect((until - from) / MINUTE).toBeGreaterThanOrEqual(110)
    const { ended_at } = await rowOf(id)
    expect(ended_at.getTime()).toBe(
      Math.max(START + WORK_MINUTES * MINUTE + until - from, until + HOUR * MINUTE),
    )
  })

  it('is not settled while `work` is silent', async () => {
    const id = await storeFunded()
    const { clock, runs, wakes, liveUntil } = await startClock({ work: [{ from: 101, until: 400 }] })
    await clock.wakeBy('deadlines', dueAt('deadlines', START + WORK_MINUTES * MINUTE))
    await liveUntil(399)
    // It counts while it lasts: an act may settle the deadline as soon as `work` is back.
    const lasting = { from: START + 100 * MINUTE, until: START + 399 * MINUTE }
    expect(await clock.outages(lasting.until)).toEqual([lasting])
    expect(runs).toEqual([])
    expect(wakes()).toBe(0)
    expect((await rowOf(id)).status).toBe('funded')
    await liveUntil(24 * HOUR)
    expect((await rowOf(id)).ended_at).toEqual(at(WORK_MINUTES + 300))
  })

  it('is found by the daily run when its request was lost', async () => {
    const id = await storeFunded()
    const { clock, runs, liveUntil } = await startClock()
    await clock.wakeBy('daily', dueAt('daily', START + 14 * HOUR * MINUTE))
    await liveUntil(15 * HOUR)
    expect(runs).toMatchObject([{ settled: 1 }])
    expect((await rowOf(id)).ended_at).toEqual(at(WORK_MINUTES))
  })

  it('is not settled by the daily run while `work` is silent', async () => {
    const id = await storeFunded()
    const { clock, runs, wakes, liveUntil } = await startClock({
      work: [{ from: 13 * HOUR, until: 16 * HOUR }],
    })
    // Of a later job: the request of this one was lost.
    await clock.wakeBy('deadlines', dueAt('deadlines', START + 20 * HOUR * MINUTE))
    await clock.wakeBy('daily', dueAt('daily', START + 14 * HOUR * MINUTE))
    await liveUntil(15 * HOUR)
    expect([wakes(), runs]).toEqual([1, []])
    expect((await rowOf(id)).status).toBe('funded')
  })

  it('is settled when another job fails', async () => {
    const [bad, good] = [await storeFunded(), await storeFunded()]
    await query(
      `create function fail() returns trigger language plpgsql as $$ begin raise exception 'bad'; end $$`,
    )
    await query(
      `create trigger fails before update on jobs for each row when (old.id = '${bad}') execute function fail()`,
    )
    const { clock, runs, liveUntil } = await startClock()
    await clock.wakeBy('deadlines', dueAt('deadlines', START + WORK_MINUTES * MINUTE))
    await liveUntil(4 * HOUR)
    expect(runs).toEqual([{ settled: 1, extended: 0, failed: [bad] }])
    expect((await rowOf(good)).status).toBe('expired')
    await query('drop trigger fails on jobs')
    // At the next scheduled run, 18:07 UTC.
    await liveUntil(9 * HOUR)
    expect((await rowOf(bad)).ended_at).toEqual(at(WORK_MINUTES))
  })
})

describe('the job run', () => {
  it('settles each job once when two run at the same time', async () => {
    const ids = [await storeFunded(), await storeFunded(), await storeFunded()]
    const deps = { db: database.db, now: at(WORK_MINUTES), notify: () => {} }
    const results = await Promise.all([1, 2, 3].map(() => recordDueDeadlines(deps, [])))
    expect(results.reduce((sum, { settled }) => sum + settled, 0)).toBe(3)
    const events = await query(
      `select data ->> 'jobId' as id from events where type = 'job.ended' and data ->> 'jobId' = any ($1)`,
      ids,
    )
    expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })

  it('answers the exact deadline of a funded job, and a scheduled run for others', async () => {
    await tryToPost(database.db, {
      agentId: agent.agentId,
      hirer: newWallet(),
      now: at(0),
      acceptMinutes: 61,
    })
    const deps = { db: database.db, now: at(1), notify: () => {} }
    const open = at(61)
    expect((await recordDueDeadlines(deps, [])).due).toEqual(
      dueAt('deadlines', settledAt(open, false).getTime()),
    )
    expect(settledAt(open, false)).toEqual(new Date('2026-11-23T12:07:00Z'))
    await storeFunded()
    expect((await recordDueDeadlines(deps, [])).due?.at).toBe(settledAt(open, false).getTime())
    expect((await recordDueDeadlines({ ...deps, now: new Date('2026-11-23T12:08:00Z') }, [])).due?.at).toBe(
      at(WORK_MINUTES).getTime(),
    )
  })

  it('wakes the database at no deadline when no job has one', async () => {
    const { clock, runs, liveUntil } = await startClock()
    await liveUntil(6 * HOUR)
    expect(runs).toEqual([])
    expect(await clock.outages(START + 6 * HOUR * MINUTE)).toEqual([])
  })
})

it('deletes what is old, in batches', async () => {
  const id = await storeFunded()
  await postgres.endJob.call(database.db, { id, wallet: agent.owner, now: at(0) })
  // One more than a batch.
  await copyJobIn(database.pool, id, 1_000)
  const sweep = (days: number) =>
    deleteOldJobs({ db: database.db, now: at(days * 24 * HOUR), elapsed: () => 0 })
  expect(await sweep(29)).toMatchObject({ deleted: 0, emptied: 0, more: false })
  expect(await sweep(30)).toMatchObject({ deleted: 0, emptied: 1_001, more: false })
  expect(await sweep(30)).toMatchObject({ deleted: 0, emptied: 0, more: false })
})

it('moves deadlines for an operator once, and deletes texts', async () => {
  const id = await storeFunded()
  const deps = { db: database.db, now: at(0) }
  const until = at(WORK_MINUTES + 45)
  expect([await extendDeadlines(deps, until), await extendDeadlines(deps, until)]).toEqual([1, 0])
  expect((await rowOf(id)).due_at).toEqual(until)
  await expect(extendDeadlines(deps, at(0))).rejects.toThrow(RangeError)
  await expect(extendDeadlines(deps, at(31 * 24 * HOUR))).rejects.toThrow(RangeError)
  expect([await deleteTexts(deps, id), await deleteTexts(deps, crypto.randomUUID())]).toEqual([true, false])
  expect(await rowOf(id)).toMatchObject({ title: '', brief: '', status: 'funded' })
})

it('alerts once to a dispute that the deployment must judge, and to deadlines that were not settled', async () => {
  const id = await storeFunded()
  await postgres.deliverJob.call(database.db, { id, wallet: agent.owner, delivery: 'x', now: at(0) })
  const { hirer } = await rowOf(id)
  await postgres.objectJob.call(database.db, { id, wallet: hirer, reason: 'x', now: at(0) })
  let stored: number | undefined
  const lines: string[] = []
  const check = (days: number) =>
    alertSilentJudges({
      ...{ db: database.db, now: at(days * 24 * HOUR), alert: (line) => lines.push(line) },
      alertedUntil: {
        get: async () => stored,
        put: async (until) => {
          stored = until
        },
      },
    })
  expect(await check(4)).toEqual({ silent: 0, overdue: 0 })
  expect(await check(5)).toEqual({ silent: 1, overdue: 0 })
  expect(await check(6)).toEqual({ silent: 0, overdue: 0 })
  expect(lines).toEqual([expect.stringContaining('1 disputed jobs need a verdict')])
  expect(await check(8)).toEqual({ silent: 0, overdue: 1 })
})
