import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type Outage, outageBetween } from '../../lib/clock/outages.ts'
import * as postgres from '../../lib/db/functions.ts'
import { gapsOf } from '../../lib/work/outages.ts'
import { deadlines, type Job, type JobAct, movedDeadline, nextJob } from '../../lib/work/rules.ts'
import { type JobEndReason, type JobStatus, jobEndReasons } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import { useDatabase } from '../support/database.ts'
import { accept, actAsChain, CRED, storeWorkingAgent, tryToPost } from '../support/jobs.ts'
import { runs } from '../support/runs.ts'
import { newWallet } from '../support/stored-agents.ts'

/*
 * Random histories of a job. The sides and judges act by several grants, and fundings are confirmed or not.
 * The Clock and the Worker have outages, wake-ups are lost, an operator extends. After each step the row is
 * what rules.ts says. Properties hold that say nothing of how: nobody loses time by an outage, and nobody
 * else decides.
 */

const HOUR = 60
const DAY = 24 * HOUR
/** How often the Clock asks the Worker whether it answers, in minutes. */
const CRON = 10
/** Outages that are longer always count; those shorter than this minus a run of the cron never do. */
const LONG = 15
const START = Date.UTC(2026, 9, 20)
const GRANTS = { hirer: crypto.randomUUID(), agent: crypto.randomUUID(), other: crypto.randomUUID() }

const database = useDatabase()
let agent: { agentId: string; owner: Wallet }
const judge = newWallet()
beforeAll(async () => {
  agent = await storeWorkingAgent(database.db, new Date(START))
})

const gapIn = (from: Date, until: Date) => outageBetween(from.getTime(), until.getTime())

type Via = 'wallet' | 'own' | 'other'
type Terms = { hasJudge: boolean; price: bigint; work: number; review: number; accept: number }
/** A job's row, as far as the model follows it. */
type Row = Job & { id: string; delivery: string | null; hirerGrant: string | null; ownerGrant: string | null }

class World {
  /** Minutes since START. */
  now = 0
  id = ''
  hirer = newWallet()
  model!: Job
  row!: Row
  /** When the outages were last counted; when the state began; its deadline then; what the operator added. */
  counted = 0
  since = 0
  firstDue = 0
  byOperator = 0
  /** What the Clock knows. */
  answered = 0
  gaps: Outage[] = []
  isClockUp = true
  isWorkUp = true
  /** The outages as they were. */
  outages: { from: number; until: number }[] = []
  decidedBy: { role: string; grant: string | undefined } | undefined

  at = (minutes: number) => new Date(START + minutes * 60_000)
  minutesOf = (time: Date | null) =>
    time === null ? Number.POSITIVE_INFINITY : (time.getTime() - START) / 60_000

  static async create({ hasJudge, price, work, review, accept: acceptMinutes }: Terms): Promise<World> {
    const world = new World()
    const minutes = { acceptMinutes, workMinutes: work, reviewMinutes: review }
    const { id, outcome } = await tryToPost(database.db, {
      ...{ agentId: agent.agentId, hirer: world.hirer, grant: GRANTS.hirer, now: world.at(0) },
      ...{ price, minPrice: 1n, judge: hasJudge ? 'deployment' : 'none', ...minutes },
    })
    expect(outcome).toBe('recorded')
    world.id = id
    world.row = await world.read()
    world.model = world.row
    expect(world.row).toMatchObject({
      status: 'open',
      dueAt: world.at(acceptMinutes),
      price,
      hasJudge,
      ...minutes,
    })
    world.enter()
    return world
  }

  async read(): Promise<Row> {
    const [row] = await database.query('select * from jobs where id = $1', this.id)
    const amount = (value: string | null) => (value === null ? null : BigInt(value))
    return {
      id: row.id,
      status: row.status,
      dueAt: row.due_at,
      price: BigInt(row.price),
      acceptMinutes: row.accept_minutes,
      workMinutes: row.work_minutes,
      reviewMinutes: row.review_minutes,
      hasJudge: row.judge !== 'none',
      isFunding: row.is_funding,
      hirerProposal: amount(row.hirer_proposal),
      ownerProposal: amount(row.owner_proposal),
      agentAmount: amount(row.agent_amount),
      hirerAmount: amount(row.hirer_amount),
      endReason: row.end_reason,
      endedAt: row.ended_at,
      delivery: row.delivery_hash,
      hirerGrant: row.hirer_grant,
      ownerGrant: row.owner_grant,
    }
  }

  enter() {
    this.since = this.now
    this.counted = this.now
    this.firstDue = this.minutesOf(this.model.dueAt)
    this.byOperator = 0
  }

  /** Follows a step in the model. */
  follow(next: Job | undefined) {
    if (next === undefined) return
    const { status } = this.model
    this.model = next
    if (status !== next.status) this.enter()
  }

  /** The outages that the Clock reports, the present one too. */
  gapsNow() {
    const present = gapIn(this.at(this.answered), this.at(this.now))
    const gaps = present ? [...this.gaps, present] : this.gaps
    return { gaps, ...gapsOf(gaps) }
  }

  isDue = () => this.minutesOf(this.model.dueAt) <= this.now && !this.model.isFunding

  /** Settles a passed deadline in the model: moves it, or ends the job. */
  settleModel() {
    if (!this.isDue() || this.model.dueAt === null) return
    const moved = movedDeadline(this.model.dueAt, this.at(this.counted), this.gapsNow().gaps)
    if (moved > this.model.dueAt) {
      this.expectOutage()
      this.model = { ...this.model, dueAt: moved }
      this.counted = this.now
    }
    if (!this.isDue()) return
    this.expectFair()
    this.follow(nextJob(this.model, { act: 'expire', by: 'service', amount: null, now: this.at(this.now) }))
  }

  expectOutage() {
    const due = this.minutesOf(this.model.dueAt)
    const seen = this.outages.some(({ from, until }) => from - CRON < due && until + CRON > this.since)
    expect(seen, 'moved without an outage before the deadline').toBe(true)
  }

  /** A default needs a Worker that answers, and comes only if the sides lost no long outage of their time. */
  expectFair() {
    const due = this.minutesOf(this.model.dueAt)
    const long = this.outages.filter(
      ({ from, until }) => until - from > LONG && until > this.since && from < due,
    )
    const lost = long.reduce(
      (sum, { from, until }) => sum + Math.min(until, this.now) - Math.max(from, this.since),
      0,
    )
    expect(this.isWorkUp && this.isClockUp).toBe(true)
    expect(due - this.firstDue - this.byOperator, 'the time that an outage took').toBeGreaterThanOrEqual(lost)
    for (const { until } of long) expect(due, 'time after an outage').toBeGreaterThanOrEqual(until + HOUR)
  }

  /** Calls a function until it finds no due deadline, as the Worker does. */
  async call(act: () => Promise<{ outcome: string }>): Promise<string> {
    const { outcome } = await act()
    if (outcome !== 'due') return outcome
    expect(this.isDue()).toBe(true)
    const { gapsFrom, gapsUntil } = this.gapsNow()
    const settled = await postgres.settleJob.call(database.db, {
      id: this.id,
      gapsFrom,
      gapsUntil,
      now: this.at(this.now),
    })
    this.settleModel()
    expect(settled).toMatchObject({
      outcome: this.model.dueAt ? 'extended' : 'settled',
      dueAt: this.model.dueAt,
    })
    return (await act()).outcome
  }

  async act(name: JobAct, by: 'hirer' | 'agent' | 'judge', amount: bigint, via: Via) {
    const { db } = database
    const own = by === 'judge' ? undefined : GRANTS[by]
    const grant = via === 'wallet' ? undefined : via === 'own' ? own : GRANTS.other
    const wallet = { hirer: this.hirer, agent: agent.owner, judge }[by]
    const shared = { id: this.id, wallet, now: this.at(this.now) }
    const decision = { ...shared, grant, isJudge: by === 'judge', act: name, amount }
    const calls: Partial<Record<JobAct, () => Promise<{ outcome: string }>>> = {
      accept: () => accept(db, { ...shared, grant }),
      end: () => postgres.endJob.call(db, shared),
      deliver: () => postgres.deliverJob.call(db, { ...shared, delivery: `Delivery ${amount}` }),
      object: () => postgres.objectJob.call(db, { ...shared, grant, reason: `Reason ${amount}` }),
      propose: () => postgres.proposeSplit.call(db, { ...shared, grant, amount }),
      approve: () => postgres.decideJob.call(db, decision),
      concede: () => postgres.decideJob.call(db, decision),
      judge: () => postgres.decideJob.call(db, decision),
    }
    const call = calls[name]
    if (call === undefined) throw new Error(`nobody calls ${name}`)
    const outcome = await this.call(call)
    // A repeated act changes nothing in any state.
    if (outcome === 'recorded') {
      this.decidedBy = { role: by, grant }
      const next = nextJob(this.model, { act: name, by, amount, now: this.at(this.now) })
      expect(next, `${name} by ${by} of a job that is ${this.model.status}`).toBeDefined()
      this.follow(next)
    } else if (!['foreign_job', 'not_allowed', 'job_not_found', 'recorded_before'].includes(outcome))
      expect(nextJob(this.model, { act: name, by, amount, now: this.at(this.now) }), outcome).toBeUndefined()
  }

  async chain(act: 'fund' | 'confirm' | 'lapse') {
    const by = act === 'fund' ? 'hirer' : 'service'
    const next = nextJob(this.model, { act, by, amount: null, now: this.at(this.now) })
    expect(await actAsChain(database.pool, this.id, act, this.at(this.now))).toBe(next !== undefined)
    this.follow(next)
  }

  async extend(minutes: number) {
    const now = this.at(this.now)
    const until = this.at(this.now + minutes)
    // Twice: a repeated call changes nothing.
    for (const _ of [1, 2]) await postgres.extendJobs.call(database.db, { until, now, limit: 100 })
    if (!['funded', 'delivered', 'disputed'].includes(this.model.status)) return
    const due = this.minutesOf(this.model.dueAt)
    const to = Math.max(due, this.now + minutes)
    this.byOperator += to - due
    this.model = { ...this.model, dueAt: this.at(to) }
  }

  /** Asks the Worker at every tenth minute on the way, unless one of the two is down. */
  reach(minute: number) {
    const first = Math.floor(this.now / CRON) * CRON + CRON
    const last = Math.floor(minute / CRON) * CRON
    if (this.isClockUp && this.isWorkUp && first <= last) {
      const gap = gapIn(this.at(this.answered), this.at(first))
      if (gap) this.gaps.push(gap)
      this.answered = last
    }
    this.now = minute
  }

  /** Lets time pass. The Clock settles each deadline some minutes late, unless a wake-up is lost. */
  async pass(minutes: number, { clock = true, work = true, isLost = false } = {}) {
    const until = this.now + minutes
    this.isClockUp = clock
    this.isWorkUp = work
    if (!clock || !work) this.outages.push({ from: this.now, until })
    for (;;) {
      const due = this.model.isFunding ? Number.POSITIVE_INFINITY : this.minutesOf(this.model.dueAt)
      const next = Math.max(due, this.now) + (due % 6)
      if (isLost || !clock || !work || !(next <= until)) break
      this.reach(next)
      const { gapsFrom, gapsUntil } = this.gapsNow()
      const run = await postgres.recordDueJobs.call(database.db, {
        gapsFrom,
        gapsUntil,
        except: [],
        now: this.at(this.now),
        limit: 100,
      })
      expect(run.failed).toEqual([])
      this.settleModel()
    }
    this.reach(until)
    this.isClockUp = true
    this.isWorkUp = true
  }

  /** Compares the row with the model, and with what it was. */
  async check() {
    const before = this.row
    const after = await this.read()
    this.row = after
    const { delivery, hirerGrant, ownerGrant, id, ...job } = after
    expect(job).toEqual(
      Object.fromEntries(Object.keys(job).map((key) => [key, this.model[key as keyof Job]])),
    )
    if (before.status in jobEndReasons) expect(after).toEqual(before)
    if (before.delivery !== null) expect(after.delivery).toBe(before.delivery)
    if (before.delivery !== null) expect(after.status).not.toBe('expired')
    const isPaid = (after.agentAmount ?? 0n) > 0n
    if (isPaid && after.endReason !== 'agreed') expect(delivery).not.toBeNull()
    if (after.agentAmount !== null) expect(after.agentAmount + (after.hirerAmount ?? 0n)).toBe(after.price)
    if (after.status === 'rejected' && after.endReason !== 'no_verdict')
      expect(['conceded', 'agreed', 'judged']).toContain(after.endReason)
    if (after.endReason === 'judged')
      expect([after.hasJudge, this.decidedBy]).toEqual([true, { role: 'judge', grant: undefined }])
    if (
      after.endReason !== before.endReason &&
      ['approved', 'conceded', 'agreed'].includes(after.endReason ?? '')
    ) {
      const own = this.decidedBy?.role === 'hirer' ? hirerGrant : ownerGrant
      expect([undefined, own]).toContain(this.decidedBy?.grant)
    }
  }
}

const amount = fc.constantFrom(0n, 1n, 40n, 60n, 100n, 101n)
const via = fc.constantFrom<Via>('wallet', 'wallet', 'own', 'other')
const ACTS = [
  ['accept', 'agent'],
  ['deliver', 'agent'],
  ['object', 'hirer'],
  ['approve', 'hirer'],
  ['concede', 'agent'],
  ['judge', 'judge'],
  ['end', 'hirer'],
  ['end', 'agent'],
  ['propose', 'hirer'],
  ['propose', 'agent'],
  ['judge', 'hirer'],
] as const
const BOTH = ['hirer', 'agent'] as const
type StepOf = (world: World) => Promise<void>
const step: fc.Arbitrary<StepOf> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ what: fc.constantFrom(...ACTS), amount, via }).map(
      ({ what: [name, by], amount, via }): StepOf =>
        (world) =>
          world.act(name, by, amount, via),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ amount, first: via, second: via }).map(
      ({ amount, first, second }): StepOf =>
        async (world) => {
          await world.act('propose', 'hirer', amount, first)
          await world.act('propose', 'agent', amount, second)
        },
    ),
  },
  {
    weight: 5,
    arbitrary: fc.constantFrom('fund' as const, 'confirm' as const, 'lapse' as const).map(
      (act): StepOf =>
        (world) =>
          world.chain(act),
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({
        minutes: fc.constantFrom(1, 9, 14, 30, 46, 60, 61, 600, DAY, 3 * DAY, 14 * DAY),
        isLost: fc.boolean(),
      })
      .map(
        ({ minutes, isLost }): StepOf =>
          (world) =>
            world.pass(minutes, { isLost }),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        minutes: fc.constantFrom(3, 9, 12, 16, 30, 61, 600, 3 * DAY),
        down: fc.constantFrom('clock', 'work', 'both'),
      })
      .map(
        ({ minutes, down }): StepOf =>
          (world) =>
            world.pass(minutes, { clock: down === 'work', work: down === 'clock' }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(HOUR, DAY).map(
      (minutes): StepOf =>
        (world) =>
          world.extend(minutes),
    ),
  },
)

/** How a job comes to a state, so that random acts meet each of them. */
const BEGIN: StepOf[] = [
  (world) => world.act('accept', 'agent', 0n, 'own'),
  (world) => world.chain('fund'),
  (world) => world.chain('confirm'),
  (world) => world.act('deliver', 'agent', 7n, 'wallet'),
  (world) => world.act('object', 'hirer', 0n, 'own'),
]
const terms = fc.record({
  hasJudge: fc.boolean(),
  price: fc.constantFrom(CRED, CRED + 101n),
  work: fc.constantFrom(HOUR, 3 * DAY, 30 * DAY),
  review: fc.constantFrom(HOUR, 3 * DAY, 14 * DAY),
  accept: fc.constantFrom(HOUR, 7 * DAY),
})
const start = fc.constantFrom(0, 1, 2, 3, 3, 4, 4, 5, 5, 5)

/** A history for each end, so that none is never met. */
const EXAMPLES = (
  [
    [0, []],
    [0, [(world) => world.act('end', 'hirer', 0n, 'own')]],
    [1, []],
    [1, [(world) => world.act('end', 'agent', 0n, 'own')]],
    [3, []],
    [3, [(world) => world.act('end', 'agent', 0n, 'other')]],
    [4, []],
    [4, [(world) => world.act('approve', 'hirer', 0n, 'own')]],
    [4, [(world) => world.act('concede', 'agent', 0n, 'own')]],
    [5, []],
    [5, [(world) => world.act('judge', 'judge', 40n, 'wallet')]],
    [
      5,
      BOTH.map(
        (by): StepOf =>
          (world) =>
            world.act('propose', by, 40n, 'own'),
      ),
    ],
  ] satisfies [number, StepOf[]][]
).map(([begun, steps]): [Terms, number, StepOf[]] => [
  { hasJudge: true, price: CRED, work: DAY, review: DAY, accept: DAY },
  begun,
  steps,
])

/** Other tests fill a queue, and restore a database. */
type Reason = Exclude<JobEndReason, 'queue_full' | 'restored'>
const REASONS = Object.values(jobEndReasons)
  .flat()
  .filter((reason): reason is Reason => reason !== 'queue_full' && reason !== 'restored')

it('keeps to the table of states, and is fair after outages, in random histories', async () => {
  const seen = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>
  await fc.assert(
    fc.asyncProperty(
      terms,
      start,
      fc.array(step, { maxLength: 30, size: 'max' }),
      async (wanted, begun, steps) => {
        const world = await World.create(wanted)
        for (const take of [...BEGIN.slice(0, begun), ...steps]) {
          await take(world)
          await world.check()
        }
        // All fall silent, and the Clock alone ends the job by the default of its state.
        if (world.model.isFunding) await world.chain('confirm')
        const silent: JobStatus = world.model.status
        const from = world.now
        const waits = Math.max(world.minutesOf(world.model.dueAt) - from, 0)
        for (let i = 0; i < 400 && world.model.dueAt; i++) await world.pass(DAY / 4, { isLost: i % 2 === 0 })
        await world.check()
        const { endReason, agentAmount, price } = world.row
        if (silent in deadlines) {
          const paid: Partial<Record<JobStatus, bigint>> = {
            funded: 0n,
            delivered: price,
            disputed: price / 2n,
          }
          expect(agentAmount).toBe(paid[silent] ?? null)
          expect(world.minutesOf(world.row.endedAt)).toBeLessThanOrEqual(from + waits + lostTo(world))
        }
        seen[endReason as Reason] += 1
      },
    ),
    { numRuns: runs(50, 1_000), endOnFailure: true, examples: EXAMPLES },
  )
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})

/** The most minutes by which outages may have moved a deadline. */
const lostTo = ({ outages }: World) =>
  outages.reduce((sum, { from, until }) => sum + until - from + 2 * CRON + HOUR, 0)
