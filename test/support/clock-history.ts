import { type Due, JOBS, type Job, nextDaily, soonest, TOLERANCE_MS } from '../../lib/clock/jobs.ts'

/** Due work, like a row of the database. `told` is when the Clock was told of it, or when it was lost. */
type Work = Due & { job: Job; told: number; isLost: boolean; servedAt?: number }
/** A job run that failed, and the time of its retry. */
type Failure = { job: Job; from: number; again: number }
/** When an alarm came, and when it ended. */
type Alarm = { from: number; to: number }
/** A loss that lets the alarm be late, with its beginning and its end. */
type Loss = { at: number; until: number }

const MINUTE_MS = 60_000
/** The waits after failed job runs, as the README promises them. */
const WAITS_MS = [1, 5, 15, 60].map((minutes) => minutes * MINUTE_MS)
/** How long an alarm may begin job runs. */
const LONG_MS = 7 * MINUTE_MS

/** The database of a Clock's jobs, and their history: work that may be late, and alarms that are needless. */
export class ClockHistory {
  readonly works: Work[] = []
  readonly alarms: Alarm[] = []
  readonly losses: Loss[] = []
  readonly #failures: Failure[] = []
  /** The number of consecutive failures of each job. */
  readonly #failed = new Map<Job, number>()
  /** Calls to the Clock whose work may be done already. Then the alarm finds nothing to do. */
  #tells: { job: Job; at: number; by: number }[] = []
  #dailyBy = 0
  #wasCutOff = false

  tell(job: Job, by: number): void {
    this.#tells.push({ job, at: Date.now(), by })
  }

  /** Cuts off job runs. The Clock runs them again, even if their work is done. */
  cutOff(): void {
    this.#wasCutOff = true
  }

  fail(job: Job, from: number): void {
    const failed = this.#failed.get(job) ?? 0
    this.#failed.set(job, failed + 1)
    const wait = WAITS_MS[Math.min(failed, WAITS_MS.length - 1)] ?? 0
    this.#failures.push({ job, from, again: Date.now() + wait })
  }

  /** Reads the database for a job. @returns a function that records its work and returns the job's answer */
  read(job: Job): () => Due | undefined {
    const now = Date.now()
    const seen = this.works.filter((work) => work.job === job && work.servedAt === undefined)
    const served = seen.filter(({ at }) => at <= now)
    const tells = this.#tells.filter((tell) => tell.job === job && tell.at <= now)
    return () => {
      this.#failed.delete(job)
      this.#tells = this.#tells.filter((tell) => !tells.includes(tell) || tell.by > Date.now())
      for (const work of served) work.servedAt = this.alarms.at(-1)?.from ?? now
      if (job === 'daily') {
        const at = nextDaily(now)
        this.#dailyBy = at + TOLERANCE_MS.daily
        return { at, by: this.#dailyBy }
      }
      return seen
        .filter((work) => !served.includes(work))
        .reduce<Due | undefined>((sum, { at, by }) => soonest(sum, { at, by }), undefined)
    }
  }

  /** Whether something would be late if the database were woken only a little later. */
  isNeeded(): boolean {
    const now = Date.now()
    const wasCutOff = this.#wasCutOff
    this.#wasCutOff = false
    const lastFailure = (job: Job) =>
      this.#failed.has(job) ? this.#failures.findLast((failure) => failure.job === job) : undefined
    const isDue = (job: Job, by: number, told: number) => {
      const failure = lastFailure(job)
      return by <= now && (failure === undefined || failure.from < told)
    }
    return (
      wasCutOff ||
      this.#dailyBy <= now ||
      this.works.some(({ job, by, told, servedAt }) => servedAt === undefined && isDue(job, by, told)) ||
      this.#tells.some(({ job, by, at }) => isDue(job, by, at)) ||
      JOBS.some((job) => (lastFailure(job)?.again ?? Infinity) + TOLERANCE_MS[job] <= now)
    )
  }

  /** The work that was served later than it may be, or never. */
  late(): object[] {
    return this.works.flatMap((work) => {
      const mayBe = this.#latest(work)
      const servedAt = work.servedAt ?? Infinity
      return servedAt > mayBe && mayBe < Date.now() ? [{ ...work, mayBe, servedAt }] : []
    })
  }

  /** Returns when work must be served: within its tolerance, or after the failures that delayed it. */
  #latest({ job, by, told, isLost, servedAt = Infinity }: Work): number {
    // The daily job finds work of which nobody told the Clock.
    const found = isLost ? nextDaily(told) + TOLERANCE_MS.daily : told
    const jobRuns = isLost ? [job, 'daily'] : [job]
    // Nobody can tell the Clock of lost work, so it also waits after a failure from before it.
    const mayHold = (failure: Failure) => (isLost ? failure.again : failure.from) >= told
    let latest = Math.max(by, found + 1_000)
    for (;;) {
      const before = latest
      for (const failure of this.#failures)
        if (jobRuns.includes(failure.job) && mayHold(failure) && failure.from < servedAt)
          latest = Math.max(latest, failure.again + TOLERANCE_MS[failure.job])
      for (const { at, until } of this.losses) if (at <= latest) latest = Math.max(latest, until)
      // An alarm is a second from the last one at least.
      for (const { from, to } of this.alarms)
        if (from < latest && latest < to + 1_000) latest = to + 1_000
        // Job runs that hang use up the time of an alarm. The rest is for the next one.
        else if (from === latest && to - from >= LONG_MS) latest = to + 1_000
      if (latest === before) return latest
    }
  }
}
