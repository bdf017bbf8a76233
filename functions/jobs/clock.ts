import { WorkerEntrypoint } from 'cloudflare:workers'
import { AlarmClock, type Rounds } from '../../lib/clock/clock.ts'
import type { Due, Kind } from '../../lib/clock/kinds.ts'
import type { LooksService, SettlementService } from '../../lib/clock/services.ts'
import type { ClockService } from '../../lib/clock/wake.ts'
import { CLOCKS, dailyDeps } from './deps.ts'
import { roundsOf } from './rounds.ts'

/** The Clock: one object, which runs the rounds when they are due. */
export class Clock extends AlarmClock<Cloudflare.JobsEnv> {
  now(): number {
    return CLOCKS.clock().getTime()
  }

  rounds(): Rounds {
    const { env, ctx } = this
    return roundsOf(() => dailyDeps(env, ctx, CLOCKS.clock(), CLOCKS), {
      // wrangler's types know the name of another Worker's entrypoint, not its methods.
      settlement: env.SETTLEMENT as unknown as SettlementService | undefined,
      looks: env.LOOKS as unknown as LooksService,
    })
  }
}

/** The one Clock, made near the database: where it is first asked for decides where it is. */
export function clockOf({ CLOCK, CLOCK_LOCATION }: Cloudflare.JobsEnv) {
  const locationHint = CLOCK_LOCATION === '' ? undefined : (CLOCK_LOCATION as DurableObjectLocationHint)
  // wrangler's types know the class's name, not its methods.
  const clocks = CLOCK as DurableObjectNamespace<Clock>
  return clocks.getByName('clock', locationHint ? { locationHint } : {})
}

/** For the Workers that make work due, by a service binding. */
export class ClockEntrypoint extends WorkerEntrypoint<Cloudflare.JobsEnv> implements ClockService {
  async wakeBy(kind: Kind, due: Due): Promise<void> {
    await clockOf(this.env).wakeBy(kind, due)
  }
}
