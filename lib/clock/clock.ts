import { DurableObject } from 'cloudflare:workers'
import type { Alert } from '../alert.ts'
import { reasonOf } from '../db/failures.ts'
import { logError, logInfo } from '../log.ts'
import { within } from '../time.ts'
import type { Due, Kind } from './kinds.ts'
import {
  alarmOf,
  dueKinds,
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

/** What the Clock runs: it asks nobody anything itself. */
export type Rounds = {
  /** Rejects when the database does not answer; waits for a database that wakes. */
  wakeDatabase: () => Promise<void>
  /** Runs a kind's round, and tells when the kind is next due, if it is. */
  run: (kind: Kind) => Promise<Due | undefined>
  /** Told of a kind whose rounds fail. */
  alert?: Alert
}

/** The one alarm, in Unix milliseconds. */
export type Timer = {
  set: (at: number) => Promise<void>
  /** Null when none is set, or while it runs. */
  get: () => Promise<number | null>
}

/** When the alarm comes again if the Clock is cut off, or while its rounds run. */
const FALLBACK_MS = 60_000
/** A round that has not answered by then has failed; what it had begun is safe to begin again. */
const ROUND_MS = 5 * 60_000
/** All rounds of an alarm together: the runtime ends an alarm after 15 minutes. */
const ROUNDS_MS = 12 * 60_000
/** An alarm that is so late is taken for lost. */
const LOST_MS = 60_000

/** After so many failures in a row an operator is told. */
const ALERT_AFTER = 3

const SCHEDULE = 'schedule'

/**
 * Knows when which kind of work is due, and wakes the rounds for it: an object with one alarm, alone of its
 * class. Nothing else wakes the database but requests.
 */
export abstract class AlarmClock<Env> extends DurableObject<Env> {
  #schedule: Schedule
  /** Until when rounds run, by the stopwatch: those that were cut off don't hold up the next for longer. */
  #runsUntil = 0
  /** The kinds whose rounds run now. */
  #running: readonly Kind[] = []

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#schedule = newSchedule(this.now())
    ctx.blockConcurrencyWhile(async () => {
      this.#schedule = { ...this.#schedule, ...(await ctx.storage.get<Schedule>(SCHEDULE)) }
    })
  }

  abstract rounds(): Rounds

  /** The time as it is, in Unix milliseconds. */
  abstract now(): number

  /** A stopwatch, in milliseconds. */
  abstract elapsed(): number

  timer(): Timer {
    const { storage } = this.ctx
    return { set: (at) => storage.setAlarm(at), get: () => storage.getAlarm() }
  }

  /**
   * Says when work of a kind is due.
   * @throws RangeError for a time that is none, which would stop the Clock for good
   */
  async wakeBy(kind: Kind, due: Due): Promise<void> {
    const asked = withAsked(this.#schedule, kind, checked(due), this.#running.includes(kind))
    if (asked !== this.#schedule) await this.#keep(asked)
    await this.check()
  }

  /** Says that a run is about to lease deliveries, which are due at a time if it is cut off. */
  async beginLease(id: string, until: number): Promise<void> {
    await this.#keep(withLease(this.#schedule, id, checked({ at: until, by: until }).by))
    await this.check()
  }

  /**
   * Says that such a run has recorded what became of all that it had leased. The alarm may come for
   * nothing.
   */
  async endLease(id: string): Promise<void> {
    await this.#keep(withoutLease(this.#schedule, id))
  }

  /** Sets the alarm where it is missing, late or lost: for a Clock that is new, too. */
  async check(): Promise<void> {
    if (this.#isRunning()) return
    const now = this.now()
    const at = alarmOf(this.#schedule, now)
    const set = await this.timer().get()
    // One that is about to come is not put off: whoever asks every second would stop the Clock.
    if (set === null || set > at || set < now - LOST_MS) await this.timer().set(at)
  }

  override async alarm(): Promise<void> {
    // Set before anything else: whatever ends this alarm, another one comes.
    await this.timer().set(this.now() + FALLBACK_MS)
    if (this.#isRunning()) return
    this.#runsUntil = this.elapsed() + ROUNDS_MS
    try {
      // What was asked for during rounds that were cut off.
      await this.#keep(withEndedLeases(withMeanwhile(this.#schedule), this.now()))
      await this.#runDue(dueKinds(this.#schedule, this.now()))
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
    } finally {
      this.#running = []
      this.#runsUntil = 0
    }
    await this.timer().set(alarmOf(this.#schedule, this.now()))
  }

  #isRunning(): boolean {
    return this.elapsed() < this.#runsUntil
  }

  async #runDue(kinds: readonly Kind[]): Promise<void> {
    if (kinds.length === 0) return
    const rounds = this.rounds()
    this.#running = kinds
    try {
      await rounds.wakeDatabase()
      logInfo({ job: 'clock', kinds })
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
      const now = this.now()
      await this.#keep(kinds.reduce((before, kind) => withFailure(before, kind, now), this.#schedule))
      const { failures } = this.#schedule
      if (kinds.some((kind) => failures[kind] === ALERT_AFTER))
        rounds.alert?.(
          `AgentCred: the database has not answered ${ALERT_AFTER} times in a row.`,
          new Date(now),
        )
      return
    }
    for (const kind of kinds) {
      // Those that are left stay due.
      if (this.#runsUntil - this.elapsed() < ROUND_MS) return
      this.#running = [kind]
      const ended = await this.#run(rounds, kind)
      await this.#keep(ended(this.#schedule))
    }
  }

  /** Runs a round. @returns what it changes in the schedule, as that is by then */
  async #run(rounds: Rounds, kind: Kind): Promise<(schedule: Schedule) => Schedule> {
    try {
      const due = await within(ROUND_MS, rounds.run(kind))
      if (due) checked(due)
      return (before) => {
        const schedule = withAnswer(before, kind, due, this.now())
        if (due && (schedule.dues[kind]?.at ?? 0) > due.by)
          logError({ job: 'clock', kind, reason: 'due at once too often' })
        return schedule
      }
    } catch (error) {
      logError({ job: 'clock', kind, reason: reasonOf(error) })
      return this.#failed(rounds, kind)
    }
  }

  /** What a failed round changes in the schedule; tells of the third in a row. */
  #failed({ alert }: Rounds, kind: Kind): (schedule: Schedule) => Schedule {
    return (before) => {
      const now = this.now()
      const schedule = withFailure(before, kind, now)
      if (schedule.failures[kind] === ALERT_AFTER)
        alert?.(`AgentCred: the ${kind} round has failed ${ALERT_AFTER} times in a row.`, new Date(now))
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
