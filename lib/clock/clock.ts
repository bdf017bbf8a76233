import { DurableObject } from 'cloudflare:workers'
import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
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

const SCHEDULE = 'schedule'

/**
 * Knows when which kind of work is due, and wakes the rounds for it: an object with one alarm, alone of its
 * class. Nothing else wakes the database but requests.
 */
export abstract class AlarmClock<Env> extends DurableObject<Env> {
  #schedule: Schedule
  #isRunning = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#schedule = newSchedule(this.now())
    ctx.blockConcurrencyWhile(async () => {
      this.#schedule = (await ctx.storage.get<Schedule>(SCHEDULE)) ?? this.#schedule
    })
  }

  abstract rounds(): Rounds

  /** The time as it is, in Unix milliseconds. */
  abstract now(): number

  timer(): Timer {
    const { storage } = this.ctx
    return { set: (at) => storage.setAlarm(at), get: () => storage.getAlarm() }
  }

  /** Says when work of a kind is due. */
  async wakeBy(kind: Kind, due: Due): Promise<void> {
    await this.#keep(withAsked(this.#schedule, kind, due, this.#isRunning))
    if (!this.#isRunning) await this.#arm()
  }

  /** Says that a run is about to lease deliveries, which are due at a time if it is cut off. */
  async beginLease(id: string, until: number): Promise<void> {
    await this.#keep(withLease(this.#schedule, id, until))
    if (!this.#isRunning) await this.#arm()
  }

  /** Says that such a run has recorded what became of all that it had leased. */
  async endLease(id: string): Promise<void> {
    await this.#keep(withoutLease(this.#schedule, id))
    if (!this.#isRunning) await this.#arm()
  }

  /** Sets the alarm where it is missing or wrong: after a lost one, or for a Clock that is new. */
  async check(): Promise<void> {
    if (!this.#isRunning) await this.#arm()
  }

  override async alarm(): Promise<void> {
    // Set before anything else: whatever ends this alarm, another one comes.
    await this.timer().set(this.now() + FALLBACK_MS)
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      // What was asked for during rounds that were cut off.
      await this.#keep(withEndedLeases(withMeanwhile(this.#schedule), this.now()))
      await this.#runDue(dueKinds(this.#schedule, this.now()))
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
    } finally {
      this.#isRunning = false
    }
    await this.#keep(withMeanwhile(this.#schedule))
    await this.#arm()
  }

  async #runDue(kinds: readonly Kind[]): Promise<void> {
    if (kinds.length === 0) return
    const rounds = this.rounds()
    try {
      await rounds.wakeDatabase()
    } catch (error) {
      logError({ job: 'clock', reason: reasonOf(error) })
      const now = this.now()
      return this.#keep(kinds.reduce((schedule, kind) => withFailure(schedule, kind, now), this.#schedule))
    }
    for (const kind of kinds) {
      await this.#keep(await this.#ran(rounds, kind))
    }
  }

  async #ran(rounds: Rounds, kind: Kind): Promise<Schedule> {
    try {
      const due = await within(ROUND_MS, rounds.run(kind))
      return withAnswer(this.#schedule, kind, due)
    } catch (error) {
      logError({ job: 'clock', kind, reason: reasonOf(error) })
      return withFailure(this.#schedule, kind, this.now())
    }
  }

  async #keep(schedule: Schedule): Promise<void> {
    this.#schedule = schedule
    await this.ctx.storage.put(SCHEDULE, schedule)
  }

  async #arm(): Promise<void> {
    const at = alarmOf(this.#schedule, this.now())
    if ((await this.timer().get()) !== at) await this.timer().set(at)
  }
}
