import { ApiError } from '../api-error.ts'
import type { Outage } from '../clock/outages.ts'
import type { ClockService } from '../clock/wake.ts'
import { within } from '../time.ts'

/** Returns outages as the functions of Postgres take them. */
export const gapsOf = (outages: readonly Outage[]) => ({
  gapsFrom: outages.map(({ from }) => new Date(from)),
  gapsUntil: outages.map(({ until }) => new Date(until)),
})

const CLOCK_TIMEOUT_MS = 5_000

/**
 * Makes a function that asks the Clock for the outages up to a time.
 * @throws ApiError dependency_unavailable if it does not answer: a deadline is never settled without them
 */
export const outagesOf =
  (clock: ClockService) =>
  async (now: Date): Promise<Outage[]> => {
    try {
      return await within(CLOCK_TIMEOUT_MS, clock.outages(now.getTime()))
    } catch (cause) {
      throw new ApiError('dependency_unavailable', 'The deadline can’t be settled now. Try again.', { cause })
    }
  }
