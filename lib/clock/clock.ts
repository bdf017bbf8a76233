import { DurableObject } from 'cloudflare:workers'
import { reasonOf } from '../db/failures.ts'
import type { Alert } from '../runtime/alert.ts'
import { logError, logInfo } from '../runtime/log.ts'
import { within } from '../time.ts'
import { type Due, dueAt, type Job } from './jobs.ts'
import {
  isSilent,
  type Outage,
  type Outages,
  outagesUntil,
  withFailedWake,
  withoutReport,
  withReport,
  withWake,
} from './outages.ts'
import {
  alarmOf,
  dueJobs,
  newSchedule,
  type Schedule,
  withAnswer,
  withAsked,
  withEndedLeases,
  withFailure,
  withLease,
  withMeanwhile,
  withoutLease,
} from './schedule.ts'

/** The job runs of the Clock. The Clock itself does no other I/O. */
export type JobRuns = {
  /** Waits until a suspended database answers; rejects if it does not. */
  wakeDatabase: () => Promise<void>
  /** Runs a job. @returns when it is next due, if it is */
  run: (job: Job) => Promise<Due | undefined>
  /** Alerts an operator to a job that fails. */
  alert?: Alert
}

/** The one alarm, in Unix milliseconds. */
export type Timer = {
  set: (at: number) => Promise<void>
  /** Null when none is set, or while it runs. */
  get: () => Promise<number | null>
}

/** Delay of the fallback alarm, for a Clock that is cut off or during job runs. */
const FALLBACK_MS = 60_000
/** Time limit of a job run. Repeating one that was cut off is safe. */
const JOB_RUN_MS = 5 * 60_000
/** Time limit of all job runs of an alarm; the runtime ends an alarm after 15 minutes. */
const JOB_RUNS_MS = 12 * 60_000
/** An alarm that is this late counts as lost. */
const LOST_MS = 60_000

/** Failures in a row after which an operator is alerted. */
const ALERT_AFTER = 3

/** Delay of the deadlines' job run while the Worker `work` is silent. */
const SILENT_MS = 10 * 60_000

const SCHEDULE = 'schedule'
const OUTAGES = 'outages'

/**
 * Schedules the job runs: one Durable Object with one alarm. Only it and requests wake the database.
 */
export abstract class AlarmClock<Env> extends DurableObject<Env> {
  #schedule: Schedule
  /** The end of the running job runs, by the stopwatch. It also ends runs that were cut off. */
  #runsUntil = 0
  /** The jobs that run now. */
  #running: readonly Job[] = []

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#schedule = newSchedule(this.now())
    ctx.blockConcurrencyWhile(async () => {
      this.#schedule = { ...this.#schedule, ...(await ctx.storage.get<Schedule>(SCHEDULE)) }
    })
  }

  abstract jobRuns(): JobRuns

  /** Returns the present time in Unix milliseconds. */
  abstract now(): number

  /** A stopwatch, in milliseconds. */
  abstract elapsed(): number

  timer(): Timer {
    const { storage } = this.ctx
    return { set: (at) => storage.setAlarm(at), get: () => storage.getAlarm() }
  }

  /**
   * Schedules a job.
   * @throws RangeError for an invalid time, which would stop the Clock for good
   */
  async wakeBy(job: Job, due: Due): Promise<void> {
    // `work` answers when it calls, and nothing was watched before.
    if (job === 'deadlines' && !this.#hasDeadline())
      await this.#record((before) => withReport(withoutReport(before), this.now()))
    const asked = withAsked(this.#schedule, job, checked(due), this.#running.includes(job))
    if (asked !== this.#schedule) await this.#keep(asked)
    await this.check()
  }

  /** Records that a run is about to lease deliveries. If it is cut off, they are due at `until`. */
  async beginLease(id: string, until: number): Promise<void> {
    await this.#keep(withLease(this.#schedule, id, checked({ at: until, by: until }).by))
    await this.check()
  }

  /**
   * Records that a run has recorded the outcome of all its leased deliveries. The alarm may then find nothing
   * due.
   */
  async endLease(id: string): Promise<void> {
    await this.#keep(withoutLease(this.#schedule, id))
  }

  /** Records that the Worker `work` answers, while a deadline runs. */
  async answered(): Promise<void> {
    const hasDeadline = this.#hasDeadline()
    await this.#record((before) => (hasDeadline ? withReport(before, this.now()) : withoutReport(before)))
  }

  /** Returns the outages up to a time, both in Unix milliseconds, in order and without overlaps. */
  async outages(until: number): Promise<Outage[]> {
    return outagesUntil(await this.#outages(), until)
  }

  #hasDeadline(): boolean {
    return (this.#schedule.dues.deadlines ?? this.#schedule.meanwhile.deadlines) !== undefined
  }

  async #outages(): Promise<Outages> {
    return (await this.ctx.storage.get<Outages>(OUTAGES)) ?? { ended: [] }
  }

  async #record(change: (before: Outages) => Outages): Promise<void> {
    const before = await this.#outages()
    const after = change(before)
    if (after !== before) await this.ctx.storage.put(OUTAGES, after)
  }

  /** Sets the alarm if it is missing, late or lost, or the Clock is new. */
  async check(): Promise<void> {
    if (this.#isRunning()) return
    const now = this.now()
    const at = alarmOf(this.#schedule, now)
    const set = await this.timer().get()
    // Do not postpone an alarm that is about to fire, or a caller every second would stop the Clock.
    if (set === null || set > at || set < now - LOST_MS) await this.timer().set(at)
  }

  override async alarm(): Promise<void> {
    // Set first, so that another alarm fires however this one ends.
    await this.timer().set(this.now() + FALLBACK_MS)
    if (this.#isRunning()) return
    this.#runsUntil = this.elapsed() + JOB_RUNS_MS
    try {
      // Includes requests during job runs that were cut off.
      await this.#keep(withEndedLeases(withMeanwhile(this.#schedule), this.now()))
      await this.#postponeIfSilent()
      await this.#runDue(dueJobs(this.#schedule, this.now()))
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
    } finally {
      this.#running = []
      this.#runsUntil = 0
    }
    await this.timer().set(alarmOf(this.#schedule, this.now()))
  }

  /** Postpones the deadlines' job run while `work` is silent: nobody could act, so no default applies. */
  async #postponeIfSilent(): Promise<void> {
    const now = this.now()
    const due = this.#schedule.dues.deadlines
    if (due === undefined || due.at > now || !isSilent(await this.#outages(), now)) return
    await this.#keep({
      ...this.#schedule,
      dues: { ...this.#schedule.dues, deadlines: dueAt('deadlines', now + SILENT_MS) },
    })
  }

  #isRunning(): boolean {
    return this.elapsed() < this.#runsUntil
  }

  async #runDue(jobs: readonly Job[]): Promise<void> {
    if (jobs.length === 0) return
    const jobRuns = this.jobRuns()
    const begunAt = this.now()
    this.#running = jobs
    try {
      await jobRuns.wakeDatabase()
      await this.#record((before) => withWake(before, this.now()))
      logInfo({ job: 'clock', kinds: jobs })
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
      const now = this.now()
      await this.#record((before) => withFailedWake(before, begunAt))
      await this.#keep(jobs.reduce((before, job) => withFailure(before, job, now), this.#schedule))
      const { failures } = this.#schedule
      if (jobs.some((job) => failures[job] === ALERT_AFTER))
        jobRuns.alert?.(
          `AgentCred: the database has not answered ${ALERT_AFTER} times in a row.`,
          new Date(now),
        )
      return
    }
    for (const job of jobs) {
      // It runs along with the daily job, too.
      if (job === 'deadlines' && isSilent(await this.#outages(), this.now())) continue
      // The remaining jobs stay due.
      if (this.#runsUntil - this.elapsed() < JOB_RUN_MS) return
      this.#running = [job]
      const ended = await this.#run(jobRuns, job)
      await this.#keep(ended(this.#schedule))
    }
  }

  /** Runs a job. @returns the change of the schedule, to apply to its state after the run */
  async #run(jobRuns: JobRuns, job: Job): Promise<(schedule: Schedule) => Schedule> {
    try {
      const due = await within(JOB_RUN_MS, jobRuns.run(job))
      if (due) checked(due)
      return (before) => {
        const schedule = withAnswer(before, job, due, this.now())
        if (due && (schedule.dues[job]?.at ?? 0) > due.by)
          logError({ job: 'clock', kind: job, reason: 'it asked to run again at once too often' })
        return schedule
      }
    } catch (error) {
      logError({ job: 'clock', kind: job, reason: reasonOf(error) })
      return this.#failed(jobRuns, job)
    }
  }

  /** Returns the change of the schedule after a failed job run; alerts at the third failure in a row. */
  #failed({ alert }: JobRuns, job: Job): (schedule: Schedule) => Schedule {
    return (before) => {
      const now = this.now()
      const schedule = withFailure(before, job, now)
      if (schedule.failures[job] === ALERT_AFTER)
        alert?.(`AgentCred: the ${job} job has failed ${ALERT_AFTER} times in a row.`, new Date(now))
      return schedule
    }
  }

  async #keep(schedule: Schedule): Promise<void> {
    this.#schedule = schedule
    await this.ctx.storage.put(SCHEDULE, schedule)
  }
}

function checked(due: Due): Due {
  if (!Number.isFinite(due.at) || !Number.isFinite(due.by)) throw new RangeError('due at no time')
  return due
}
