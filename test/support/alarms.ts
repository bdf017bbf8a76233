import type { Service } from './service.ts'
import { travel } from './staker.ts'

/** How long the database stays awake after a statement. */
const AWAKE_MS = 300_000

/**
 * Moves the clock from alarm to alarm until a time, and lets nothing else run: what the Clock knows is all
 * that is done.
 * @returns when alarms came, in Unix milliseconds
 */
export async function rideAlarms(service: Service, until: number): Promise<number[]> {
  const came: number[] = []
  const reach = (at: number) => travel(service, Math.max(at - service.clock.now(), 0))
  for (;;) {
    const next = await service.reachAlarm()
    if (next > until) break
    await reach(next)
    came.push(next)
  }
  await reach(until)
  return came
}

/** Returns how many of the later times wake the database, if it was awake at the first one. */
export const wakesIn = (times: readonly number[]): number =>
  times.filter((at, index) => index > 0 && at - (times[index - 1] ?? 0) > AWAKE_MS).length
