import type { AlarmClock } from '../../lib/clock/clock.ts'

/** The one Clock, made near the database: where it is first asked for decides where it is. */
export function clockOf({ CLOCK, CLOCK_LOCATION }: Cloudflare.JobsEnv) {
  const locationHint = CLOCK_LOCATION === '' ? undefined : (CLOCK_LOCATION as DurableObjectLocationHint)
  // wrangler's types know the class's name, not its methods.
  const clocks = CLOCK as DurableObjectNamespace<AlarmClock<Cloudflare.JobsEnv>>
  return clocks.getByName('clock', locationHint ? { locationHint } : {})
}
