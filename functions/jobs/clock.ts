import { WorkerEntrypoint } from 'cloudflare:workers'
import { AlarmClock, type JobRuns } from '../../lib/clock/clock.ts'
import type { Due, Job } from '../../lib/clock/jobs.ts'
import type { Outage } from '../../lib/clock/outages.ts'
import type { ProbesService, SettlementService } from '../../lib/clock/services.ts'
import type { ClockService } from '../../lib/clock/wake.ts'
import { type LastAlert, watchStorage } from '../../lib/db/storage.ts'
import { alertBy, heartbeatBy } from '../../lib/runtime/alert.ts'
import { alertSilentJudges } from '../../lib/work/silent-judges.ts'
import { publishCatalog } from '../../lib/x402/catalog/publish.ts'
import { clockOf } from './clock-of.ts'
import { CLOCKS, dailyDeps } from './deps.ts'
import { jobRunsOf } from './job-runs.ts'

/** The Clock: one object, which runs jobs when they are due. */
export class Clock extends AlarmClock<Cloudflare.JobsEnv> {
  now(): number {
    return CLOCKS.clock().getTime()
  }

  elapsed(): number {
    return CLOCKS.elapsed()
  }

  jobRuns(): JobRuns {
    const { env, ctx } = this
    const later = (work: Promise<unknown>) => ctx.waitUntil(work)
    const alert = alertBy(env.ALERT_URL, later)
    const jobRuns = jobRunsOf(() => dailyDeps(env, ctx, CLOCKS.clock(), CLOCKS), {
      // wrangler's types know the name of another Worker's entrypoint, not its methods.
      settlement: env.SETTLEMENT as unknown as SettlementService | undefined,
      probes: env.LOOKS as unknown as ProbesService,
      heartbeat: heartbeatBy(env.HEARTBEAT_URL, later),
      storage: ({ db, now }) =>
        watchStorage({ db, now, alert, limit: env.DATABASE_LIMIT_BYTES, lastAlert: this.#lastAlert() }),
      outages: (until) => this.outages(until),
      judges: (deps) => alertSilentJudges({ ...deps, alert, alertedUntil: this.#alertedUntil() }),
      catalog: ({ db }) => publishCatalog({ db, catalog: env.CATALOG, written: this.#written() }),
    })
    return { ...jobRuns, alert }
  }

  /** Stores the hash of the written catalog, next to the schedule. */
  #written() {
    const { storage } = this.ctx
    return {
      get: () => storage.get<string>('catalog written'),
      put: (hash: string) => storage.put('catalog written', hash),
    }
  }

  /** Stores up to which deadline an operator was alerted to silent judges, next to the schedule. */
  #alertedUntil() {
    const { storage } = this.ctx
    return {
      get: () => storage.get<number>('judges alerted'),
      put: (until: number) => storage.put('judges alerted', until),
    }
  }

  /** Stores the last alert on the size of the database, next to the schedule, under the key of 1.0.0. */
  #lastAlert() {
    const { storage } = this.ctx
    return {
      get: () => storage.get<LastAlert>('storage told'),
      put: (lastAlert: LastAlert) => storage.put('storage told', lastAlert),
    }
  }
}

/** For the Workers that make work due, by a service binding. */
export class ClockEntrypoint extends WorkerEntrypoint<Cloudflare.JobsEnv> implements ClockService {
  async answered(): Promise<void> {
    await clockOf(this.env).answered()
  }

  async outages(until: number): Promise<Outage[]> {
    return clockOf(this.env).outages(until)
  }

  async wakeBy(job: Job, due: Due): Promise<void> {
    await clockOf(this.env).wakeBy(job, due)
  }
}
