import { vi } from 'vitest'
import { AlarmClock, type Rounds, type Timer } from '../../lib/clock/clock.ts'
import { type Due, dueAt, type Kind, nextDaily, SLACK_MS, soonest } from '../../lib/clock/kinds.ts'
import { dueKinds, type Schedule } from '../../lib/clock/schedule.ts'
import { type Alarm, type Failure, type Loss, latestOf, type Work } from './clock-lateness.ts'

const MINUTE_MS = 60_000

/** What happens in a history, so many milliseconds after what came before it. */
export type Step = { after: number } & (
  | { what: 'due'; kind: Kind; in: number; slack?: number; told: number | 'never' }
  | { what: 'down'; ms: number }
  | { what: 'failing'; kind: Kind; ms: number }
  | { what: 'slow'; kind: Kind; ms: number }
  | { what: 'alarm lost' | 'alarm stuck' | 'killed' }
)

/** The waits after failed rounds, as design and README promise them. */
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)
const CHECK_MS = 10 * MINUTE_MS
const LOST_MS = CHECK_MS + MINUTE_MS + 1_000
const FALLBACK_MS = MINUTE_MS

/** A Clock and all that it depends on, in a time of its own, which fake timers are. */
export class ClockWorld {
  readonly works: Work[] = []
  readonly failures: Failure[] = []
  readonly alarms: Alarm[] = []
  readonly losses: Loss[] = []
  readonly #needless: number[] = []
  readonly #now = () => Date.now()
  readonly #steps: (Step & { at: number })[] = []
  /** What the Clock was told that may be served already: then it wakes in vain. */
  #tells: { kind: Kind; at: number; by: number }[] = []
  #late: { at: number; tell: () => Promise<void> }[] = []
  #stored: unknown
  #alarm: number | null = null
  #isStuck = false
  #downUntil = 0
  #failingUntil: Partial<Record<Kind, number>> = {}
  #slowMs: Partial<Record<Kind, number>> = {}
  #failed: Partial<Record<Kind, number>> = {}
  #dailyBy = 0
  #kill: (() => void) | undefined
  #life = { isOver: false }
  #clock = this.#start()

  constructor(steps: readonly Step[]) {
    let at = this.#now()
    for (const step of steps) {
      at += step.after
      this.#steps.push({ ...step, at })
    }
  }

  /** Lives until a time. */
  async liveUntil(end: number): Promise<void> {
    while (this.#now() < end) {
      const at = Math.min(end, this.#nextEvent(), this.#isStuck ? Infinity : (this.#alarm ?? Infinity))
      this.#moveTo(at)
      await this.#happen()
      if (!this.#isStuck && this.#alarm !== null && this.#alarm <= this.#now()) await this.#ring()
    }
    this.#life.isOver = true
  }

  /** The work that was served later than it may be, or never. */
  late(): object[] {
    return this.works.flatMap((work) => {
      const mayBe = latestOf(work, this)
      const servedAt = work.servedAt ?? Infinity
      return servedAt > mayBe && mayBe < this.#now() ? [{ ...work, mayBe, servedAt }] : []
    })
  }

  /** When the database was woken for what a later wake would have served. */
  needless = (): number[] => this.#needless

  #start() {
    const life = { isOver: false }
    this.#life = life
    const rounds = () => this.#rounds()
    const never = new Promise<never>(() => {})
    const storage = {
      get: async () => structuredClone(this.#stored),
      put: async (_key: string, value: unknown) => {
        if (life.isOver) return never
        this.#stored = structuredClone(value)
      },
    }
    const timer: Timer = {
      get: async () => this.#alarm,
      set: async (at) => {
        if (life.isOver) return never
        if (!Number.isFinite(at)) throw new TypeError('no time')
        this.#alarm = at
        this.#isStuck = false
      },
    }
    class ModelClock extends AlarmClock<object> {
      override now() {
        return Date.now()
      }
      override elapsed = () => performance.now()
      override rounds = rounds
      override timer = () => timer
    }
    const ctx = { storage, blockConcurrencyWhile: (work: () => Promise<void>) => void work() }
    return new ModelClock(ctx as unknown as DurableObjectState, {})
  }

  #rounds(): Rounds {
    return {
      wakeDatabase: async () => {
        if (!this.#isNeeded()) this.#needless.push(this.#now())
        if (this.#now() < this.#downUntil) {
          for (const kind of this.#dueKinds()) this.#fail(kind, this.#now())
          throw new Error('down')
        }
      },
      run: async (kind) => {
        const now = this.#now()
        const seen = this.works.filter((work) => work.kind === kind && work.servedAt === undefined)
        const tells = this.#tells.filter((tell) => tell.kind === kind && tell.at <= now)
        const served = seen.filter(({ at }) => at <= now)
        const isFailing = now < (this.#failingUntil[kind] ?? 0)
        const life = this.#life
        await this.#pass(Math.min(this.#slowMs[kind] ?? 50, 5 * MINUTE_MS))
        // Five minutes: the Clock has given up on it.
        if (life.isOver || isFailing || (this.#slowMs[kind] ?? 0) >= 5 * MINUTE_MS) {
          if (!life.isOver) this.#fail(kind, now)
          throw new Error('failed')
        }
        delete this.#failed[kind]
        this.#tells = this.#tells.filter((tell) => !tells.includes(tell) || tell.by > this.#now())
        for (const work of served) work.servedAt = this.alarms.at(-1)?.from ?? now
        if (kind === 'daily') {
          this.#dailyBy = nextDaily(now) + SLACK_MS.daily
          return dueAt('daily', nextDaily(now))
        }
        return seen
          .filter((work) => !served.includes(work))
          .reduce<Due | undefined>((sum, { at, by }) => soonest(sum, { at, by }), undefined)
      },
    }
  }

  #fail(kind: Kind, from: number): void {
    const failed = this.#failed[kind] ?? 0
    const wait = WAITS_MS[Math.min(failed, WAITS_MS.length - 1)] ?? 0
    this.#failed[kind] = failed + 1
    this.failures.push({ kind, from, again: this.#now() + wait })
  }

  /** The kinds that the Clock believes to be due, from what it has stored. */
  #dueKinds(): Kind[] {
    return dueKinds(this.#stored as Schedule, this.#now())
  }

  /** Whether something would be late if the database were woken only a little later. */
  #isNeeded(): boolean {
    const now = this.#now()
    if (this.#dailyBy <= now) return true
    const lastFailure = (kind: Kind) =>
      this.#failed[kind] ? this.failures.findLast((failure) => failure.kind === kind) : undefined
    const isDue = ({ kind, by, told }: { kind: Kind; by: number; told: number }) => {
      const failure = lastFailure(kind)
      return by <= now && (failure === undefined || failure.from < told)
    }
    return (
      this.works.some((work) => work.servedAt === undefined && isDue(work)) ||
      this.#tells.some(({ kind, by, at }) => isDue({ kind, by, told: at })) ||
      (Object.keys(SLACK_MS) as Kind[]).some((kind) => {
        const failure = lastFailure(kind)
        return failure !== undefined && failure.again + SLACK_MS[kind] <= now
      })
    )
  }

  async #ring(): Promise<void> {
    const alarm: Alarm = { from: this.#now(), to: Infinity }
    this.alarms.push(alarm)
    if (this.alarms.length > 10_000) throw new Error('the Clock does not come to rest')
    this.#alarm = null
    const killed = new Promise<void>((resolve) => {
      this.#kill = resolve
    })
    await Promise.race([this.#clock.alarm(), killed])
    this.#kill = undefined
    alarm.to = this.#now()
  }

  /** Lets time go by in a round; what happens meanwhile happens. */
  async #pass(ms: number): Promise<void> {
    const end = this.#now() + ms
    const life = this.#life
    while (this.#now() < end && !life.isOver) {
      this.#moveTo(Math.min(end, this.#nextEvent(), this.#alarm ?? Infinity))
      await this.#happen()
      if (life.isOver) return
      // The runtime's second alarm comes while the first one runs.
      if (this.#alarm !== null && this.#alarm <= this.#now()) {
        this.#alarm = null
        await this.#clock.alarm()
      }
    }
  }

  #nextEvent(): number {
    const nextCheck = (Math.floor(this.#now() / CHECK_MS) + 1) * CHECK_MS
    return Math.min(this.#steps[0]?.at ?? Infinity, nextCheck, ...this.#late.map(({ at }) => at))
  }

  #moveTo(at: number): void {
    vi.advanceTimersByTime(Math.max(0, at - this.#now()))
  }

  async #happen(): Promise<void> {
    const now = this.#now()
    while (this.#steps[0] && this.#steps[0].at <= now) {
      const step = this.#steps.shift()
      if (step) await this.#do(step)
    }
    const told = this.#late.filter(({ at }) => at <= now)
    this.#late = this.#late.filter((late) => !told.includes(late))
    for (const { tell } of told) await tell()
    if (now % CHECK_MS === 0) await this.#clock.check()
  }

  async #do(step: Step): Promise<void> {
    const now = this.#now()
    switch (step.what) {
      case 'due': {
        const { kind, told } = step
        const at = now + step.in
        const due = { at, by: at + (step.slack ?? SLACK_MS[kind]) }
        const isLost = told === 'never'
        this.works.push({ kind, ...due, told: isLost ? now : now + told, isLost })
        const tell = async () => {
          this.#tells.push({ kind, at: this.#now(), by: due.by })
          await this.#clock.wakeBy(kind, due)
        }
        if (told === 0) await tell()
        else if (told !== 'never') this.#late.push({ at: now + told, tell })
        return
      }
      case 'down':
        this.#downUntil = now + step.ms
        return
      case 'failing':
        this.#failingUntil[step.kind] = now + step.ms
        return
      case 'slow':
        this.#slowMs[step.kind] = step.ms
        return
      case 'alarm lost':
        this.#alarm = null
        this.losses.push({ at: now, until: now + LOST_MS })
        return
      case 'alarm stuck':
        this.#isStuck = this.#alarm !== null
        if (this.#alarm !== null) this.losses.push({ at: this.#alarm, until: this.#alarm + LOST_MS })
        return
      case 'killed':
        this.#life.isOver = true
        if (this.#kill) this.losses.push({ at: this.alarms.at(-1)?.from ?? now, until: now + FALLBACK_MS })
        this.#clock = this.#start()
        this.#kill?.()
    }
  }
}
