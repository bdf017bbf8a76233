import { ApiError } from '../api-error.ts'
import type { ClockService } from '../clock/wake.ts'
import { within } from '../time.ts'
import type { Gap } from './rules.ts'

const CLOCK_TIMEOUT_MS = 5_000

/**
 * Makes a function that asks the Clock for the outages up to a time.
 * @throws ApiError dependency_unavailable if it does not answer: a deadline is never settled without them
 */
export const outagesOf =
  (clock: ClockService) =>
  async (now: Date): Promise<Gap[]> => {
    try {
      const outages = await within(CLOCK_TIMEOUT_MS, clock.outages(now.getTime()))
      return outages.map(({ from, until }) => ({ from: new Date(from), until: new Date(until) }))
    } catch (cause) {
      throw new ApiError('dependency_unavailable', 'The deadline can’t be settled now. Try again.', { cause })
    }
  }
