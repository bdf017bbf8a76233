import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Outage } from '../../lib/clock/outages.ts'
import { gapsOf } from '../../lib/work/outages.ts'
import {
  deadlines,
  isDue,
  type Job,
  type JobAct,
  type JobActor,
  movedDeadline,
  nextJob,
  transitions,
} from '../../lib/work/rules.ts'
import { API_SCHEMA } from '../../schema/release.ts'
import { type JobEndReason, type JobStatus, jobEndReasons, jobStatuses } from '../../schema/values.ts'
import { useDatabase } from '../support/database.ts'

const database = useDatabase()

/** Asks as a function of the release does: its parts find one another by the search_path. */
async function query(text: string, ...params: unknown[]) {
  const client = await database.pool.connect()
  await client.query(`set search_path = ${API_SCHEMA}, public`)
  const { rows } = await client.query(text, params)
  client.release()
  return rows
}

const NOW = Date.UTC(2026, 10, 2, 12)
const now = new Date(NOW)
const ACTS = [...new Set(transitions.map(({ act }) => act))]
const ROLES: JobActor[] = ['hirer', 'agent', 'judge', 'service']

/** The product of some lists: one of each. */
const product = <T>(lists: { [K in keyof T]: readonly T[K][] }): T[] =>
  Object.entries<readonly unknown[]>(lists).reduce<object[]>(
    (all, [key, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [key]: value }))),
    [{}],
  ) as T[]

/** Every kind of job, also those that constraints of the table exclude. */
const jobs: Job[] = product<
  Pick<Job, 'status' | 'price' | 'hasJudge' | 'isFunding'> & {
    after: number
    proposals: (bigint | null)[]
    minutes: number[]
  }
>({
  status: jobStatuses,
  price: [1n, 101n],
  hasJudge: [true, false],
  isFunding: [true, false],
  after: [-1, 0, 1],
  proposals: [
    [null, null],
    [40n, null],
    [null, 40n],
    [40n, 40n],
    [0n, 101n],
  ],
  minutes: [
    [60, 60, 60],
    [10_080, 43_200, 20_160],
  ],
}).map(({ after, proposals: [hirerProposal = null, ownerProposal = null], minutes, ...job }) => {
  const end = job.status in jobEndReasons ? (job.status as keyof typeof jobEndReasons) : undefined
  const isPaid = end !== undefined && end !== 'cancelled'
  const agentAmount = isPaid ? (end === 'completed' ? job.price : 0n) : null
  const [acceptMinutes = 0, workMinutes = 0, reviewMinutes = 0] = minutes
  return {
    ...job,
    ...{ acceptMinutes, workMinutes, reviewMinutes, hirerProposal, ownerProposal, agentAmount },
    dueAt: end ? null : new Date(NOW + after),
    hirerAmount: agentAmount === null ? null : job.price - agentAmount,
    endReason: end ? jobEndReasons[end][0] : null,
    endedAt: end ? new Date(NOW - 1) : null,
  }
})

const AMOUNTS = [null, -1n, 0n, 1n, 40n, 101n, 102n]
const steps = ACTS.flatMap((act) =>
  product<{ act: JobAct; by: JobActor; amount: bigint | null }>({
    act: [act],
    by: ROLES,
    amount: act === 'judge' || act === 'propose' ? AMOUNTS : [null],
  }),
)

/** A job as columns of its row, as JSON has them. */
const rowOf = (job: Job) => ({
  status: job.status,
  due_at: job.dueAt,
  price: Number(job.price),
  accept_minutes: job.acceptMinutes,
  work_minutes: job.workMinutes,
  review_minutes: job.reviewMinutes,
  judge: job.hasJudge ? 'deployment' : 'none',
  is_funding: job.isFunding,
  hirer_proposal: numberOf(job.hirerProposal),
  owner_proposal: numberOf(job.ownerProposal),
  agent_amount: numberOf(job.agentAmount),
  hirer_amount: numberOf(job.hirerAmount),
  end_reason: job.endReason,
  ended_at: job.endedAt,
})
const numberOf = (amount: bigint | null) => (amount === null ? null : Number(amount))
const COLUMNS = Object.keys(rowOf(jobs[0] as Job))

/** The states after each job and each step, by Postgres; without the rejected ones. */
async function nextInPostgres(): Promise<Map<string, unknown>> {
  const rows = await query(
    `select job.number as job, step.number as step, json_build_object(${COLUMNS.map((name) => `'${name}', next.${name}`)}) as next
    from jsonb_array_elements($1::jsonb) with ordinality as job (value, number),
      jsonb_array_elements($2::jsonb) with ordinality as step (value, number),
      job_next(jsonb_populate_record(null::jobs, job.value), step.value ->> 'act', step.value ->> 'by',
        (step.value ->> 'amount')::bigint, $3) as next
    where next.status is not null`,
    JSON.stringify(jobs.map(rowOf)),
    JSON.stringify(steps.map((step) => ({ ...step, amount: numberOf(step.amount) }))),
    now,
  )
  const atMs = (time: unknown) => (time === null ? null : new Date(String(time)))
  return new Map(
    rows.map(({ job, step, next }) => [
      `${job} ${step}`,
      { ...next, due_at: atMs(next.due_at), ended_at: atMs(next.ended_at) },
    ]),
  )
}

describe('the states of a job', () => {
  it('are the same in Postgres and in TypeScript over all inputs', async () => {
    const found = await nextInPostgres()
    const reached = new Set<string>()
    let changes = 0
    const wrong: unknown[] = []
    for (const [i, job] of jobs.entries())
      for (const [j, step] of steps.entries()) {
        const next = nextJob(job, { ...step, now })
        if (next) {
          changes++
          reached.add(`${job.status} ${step.act} ${next.status} ${next.endReason}`)
        }
        const expected = next && rowOf(next)
        const actual = found.get(`${i + 1} ${j + 1}`)
        if (JSON.stringify(expected) !== JSON.stringify(actual)) wrong.push({ job, step, expected, actual })
      }
    expect(wrong.slice(0, 3)).toEqual([])
    expect(found.size).toBe(changes)
    // Every row of the table, from every state that it names, with both outcomes of an amount.
    expect([...reached].sort()).toMatchInlineSnapshot(`
      [
        "accepted confirm funded null",
        "accepted end cancelled declined",
        "accepted end cancelled withdrawn",
        "accepted expire cancelled not_funded",
        "accepted fund accepted null",
        "accepted lapse accepted null",
        "delivered approve completed approved",
        "delivered concede rejected conceded",
        "delivered expire completed review_time_over",
        "delivered object disputed null",
        "delivered propose completed agreed",
        "delivered propose delivered null",
        "delivered propose rejected agreed",
        "disputed approve completed approved",
        "disputed concede rejected conceded",
        "disputed expire completed no_verdict",
        "disputed expire rejected no_verdict",
        "disputed judge completed judged",
        "disputed judge rejected judged",
        "disputed propose completed agreed",
        "disputed propose disputed null",
        "disputed propose rejected agreed",
        "funded deliver delivered null",
        "funded end expired gave_up",
        "funded expire expired no_delivery",
        "funded propose completed agreed",
        "funded propose funded null",
        "funded propose rejected agreed",
        "open accept accepted null",
        "open end cancelled declined",
        "open end cancelled withdrawn",
        "open expire cancelled nobody_accepted",
        "open yield cancelled queue_full",
      ]
    `)
  })

  it('end only as the list of reasons says, and every reason is reached', () => {
    const ends = transitions.flatMap(({ reason }) => reason ?? [])
    // No act ends a job so, but a restore.
    const named = Object.values(jobEndReasons)
      .flat()
      .filter((reason) => reason !== 'restored')
    expect(new Set(ends)).toEqual(new Set<JobEndReason>(named))
  })

  it('have a deadline until they end', () => {
    const running = jobStatuses.filter((status) => !(status in jobEndReasons))
    expect(Object.keys(deadlines)).toEqual(running)
    const never = jobs.filter(({ status }) => status in jobEndReasons)
    expect(never.filter((job) => isDue(job, new Date(8.64e15)))).toEqual([])
    for (const job of never) for (const step of steps) expect(nextJob(job, { ...step, now })).toBeUndefined()
  })

  it('are judged only when the job has a judge', () => {
    const judging = steps.filter(({ act }) => act === 'judge')
    const judged = jobs.filter((job) => judging.some((step) => nextJob(job, { ...step, now })))
    expect(new Set(judged.map(({ hasJudge }) => hasJudge))).toEqual(new Set([true]))
  })

  it('always end by the deadline alone when no funding is signed', () => {
    for (const job of jobs.filter(({ dueAt, isFunding }) => dueAt && dueAt <= now && !isFunding)) {
      const ended = nextJob(job, { act: 'expire', by: 'service', amount: null, now })
      expect(ended?.endedAt).toEqual(job.dueAt)
      const paid: Partial<Record<JobStatus, bigint>> = {
        funded: 0n,
        delivered: job.price,
        disputed: job.price / 2n,
      }
      expect(ended?.agentAmount).toBe(paid[job.status] ?? null)
      // Nobody is faster than the default.
      for (const step of steps.filter(({ by }) => by !== 'service'))
        expect(nextJob(job, { ...step, now })).toBeUndefined()
    }
  })
})

describe('a deadline after outages', () => {
  const minute = 60_000
  const at = (minutes: number) => new Date(NOW + minutes * minute)
  const gap = (from: number, until: number): Outage => ({ from: +at(from), until: +at(until) })
  const inPostgres = async (due: Date, counted: Date, gaps: Outage[]) => {
    const { gapsFrom, gapsUntil } = gapsOf(gaps)
    const [row] = await query(
      `select moved_deadline($1, $2, $3, $4) as due`,
      ...[due, counted, gapsFrom, gapsUntil],
    )
    return row.due as Date
  }

  it.each([
    ['without one stays', [], 600],
    ['moves by its length', [gap(100, 120)], 620],
    ['is an hour after its end at least', [gap(590, 606)], 666],
    ['moves by one that began before it and ended after it', [gap(500, 1_000)], 1_100],
    ['stays after one that began at it', [gap(600, 1_000)], 600],
    ['moves by one within the extension of another', [gap(550, 580), gap(610, 640)], 700],
    ['moves by two in any order', [gap(610, 640), gap(550, 580)], 700],
    ['moves only by what is not counted', [gap(-60, 30)], 630],
    ['stays after one that is counted', [gap(-60, 0)], 600],
    ['stays after one that is counted up to shortly before it', [gap(500, 590)], 600, 590],
  ])('%s', async (_title, gaps, expected, counted = 0) => {
    const moved = movedDeadline(at(600), at(counted), gaps)
    expect(moved).toEqual(at(expected))
    expect(await inPostgres(at(600), at(counted), gaps)).toEqual(moved)
  })

  it('is the same in Postgres and in TypeScript for random outages', async () => {
    const minutes = fc.integer({ min: -2_000, max: 4_000 })
    const gaps = fc.array(
      fc.tuple(minutes, fc.integer({ min: 0, max: 3_000 })).map(([from, length]) => gap(from, from + length)),
      { maxLength: 6 },
    )
    await fc.assert(
      fc.asyncProperty(minutes, minutes, gaps, async (due, counted, all) => {
        const moved = movedDeadline(at(due), at(counted), all)
        expect(await inPostgres(at(due), at(counted), all)).toEqual(moved)
        expect(moved.getTime()).toBeGreaterThanOrEqual(at(due).getTime())
      }),
      { numRuns: 200 },
    )
  })
})
