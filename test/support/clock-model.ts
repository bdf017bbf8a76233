import { vi } from 'vitest'
import { AlarmClock, type JobRuns, type Timer } from '../../lib/clock/clock.ts'
import { isForDaily, type Job, TOLERANCE_MS } from '../../lib/clock/jobs.ts'
import { dueJobs, type Schedule } from '../../lib/clock/schedule.ts'
import { ClockHistory } from './clock-history.ts'

const MINUTE_MS = 60_000

/** What happens in a history, so many milliseconds after what came before it. */
export type Step = { after: number } & (
  | { what: 'due'; job: Job; in: number; tolerance?: number; told: number | 'never' }
  | { what: 'down'; ms: number }
  | { what: 'failing'; job: Job; ms: number }
  | { what: 'slow'; job: Job; ms: number }
  | { what: 'alarm lost' | 'alarm stuck' | 'killed' }
)

const JOB_RUN_MS = 5 * MINUTE_MS
const CHECK_MS = 10 * MINUTE_MS
const LOST_MS = CHECK_MS + MINUTE_MS + 1_000
const FALLBACK_MS = MINUTE_MS

/** A Clock and all that it depends on, in a time of its own, which fake timers are. */
export class ClockWorld {
  readonly history = new ClockHistory()
  readonly #needless: number[] = []
  readonly #now = () => Date.now()
  readonly #steps: (Step & { at: number })[] = []
  #late: { at: number; tell: () => Promise<void> }[] = []
  #stored: { [key: string]: unknown; schedule?: unknown } = {}
  #alarm: number | null = null
  #isStuck = false
  #downUntil = 0
  #failingUntil: Partial<Record<Job, number>> = {}
  #slowMs: Partial<Record<Job, number>> = {}
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

  /** When the database was woken for what a later wake would have served. */
  needless = (): number[] => this.#needless

  #start() {
    const life = { isOver: false }
    this.#life = life
    const jobRuns = () => this.#jobRuns()
    const never = new Promise<never>(() => {})
    const storage = {
      get: async (key: string) => structuredClone(this.#stored[key]),
      put: async (key: string, value: unknown) => {
        if (life.isOver) return never
        this.#stored[key] = structuredClone(value)
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
      override jobRuns = jobRuns
      override timer = () => timer
    }
    const ctx = { storage, blockConcurrencyWhile: (work: () => Promise<void>) => void work() }
    return new ModelClock(ctx as unknown as DurableObjectState, {})
  }

  #jobRuns(): JobRuns {
    return {
      wakeDatabase: async () => {
        const now = this.#now()
        if (!this.history.isNeeded()) this.#needless.push(now)
        if (now >= this.#downUntil) return
        for (const job of dueJobs(this.#stored.schedule as Schedule, now)) this.history.fail(job, now)
        throw new Error('down')
      },
      run: async (job) => {
        const now = this.#now()
        const recorded = this.history.read(job)
        const isFailing = now < (this.#failingUntil[job] ?? 0)
        const slowMs = this.#slowMs[job] ?? 50
        const life = this.#life
        await this.#pass(Math.min(slowMs, JOB_RUN_MS))
        if (life.isOver) throw new Error('killed')
        // After five minutes the Clock has given up on it.
        if (!isFailing && slowMs < JOB_RUN_MS) return recorded()
        this.history.fail(job, now)
        throw new Error('failed')
      },
    }
  }

  async #ring(): Promise<void> {
    const { alarms } = this.history
    const alarm = { from: this.#now(), to: Infinity }
    alarms.push(alarm)
    if (alarms.length > 10_000) throw new Error('the Clock does not come to rest')
    this.#alarm = null
    const killed = new Promise<void>((resolve) => {
      this.#kill = resolve
    })
    await Promise.race([this.#clock.alarm(), killed])
    this.#kill = undefined
    alarm.to = this.#now()
  }

  /** Lets time pass in a job run, with the changes of that time. */
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
    if (now % CHECK_MS !== 0) return
    await this.#clock.check()
    await this.#clock.answered()
  }

  async #do(step: Step): Promise<void> {
    const now = this.#now()
    switch (step.what) {
      case 'due': {
        const { job, told } = step
        const at = now + step.in
        const due = { at, by: at + (step.tolerance ?? TOLERANCE_MS[job]) }
        const isLost = told === 'never'
        // The daily job must find it, as punctually as if the Clock had been told (schedulerOf).
        const isUntold = isForDaily(job, due, now)
        this.history.works.push({ job, ...due, told: isLost ? now : now + told, isLost })
        const tell = async () => {
          this.history.tell(job, due.by)
          await this.#clock.wakeBy(job, due)
        }
        if (isUntold) return
        if (told === 0) await tell()
        else if (told !== 'never') this.#late.push({ at: now + told, tell })
        return
      }
      case 'down':
        this.#downUntil = now + step.ms
        return
      case 'failing':
        this.#failingUntil[step.job] = now + step.ms
        return
      case 'slow':
        this.#slowMs[step.job] = step.ms
        return
      case 'alarm lost':
        this.#alarm = null
        this.history.losses.push({ at: now, until: now + LOST_MS })
        return
      case 'alarm stuck':
        this.#isStuck = this.#alarm !== null
        if (this.#alarm !== null) this.history.losses.push({ at: this.#alarm, until: this.#alarm + LOST_MS })
        return
      case 'killed':
        this.#life.isOver = true
        if (this.#kill) {
          this.history.cutOff()
          this.history.losses.push({ at: this.history.alarms.at(-1)?.from ?? now, until: now + FALLBACK_MS })
        }
        this.#clock = this.#start()
        this.#kill?.()
    }
  }
}
