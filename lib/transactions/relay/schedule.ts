import type { ScheduleOrFail } from '../../clock/wake.ts'
import { firstCheck } from '../confirmation/check-schedule.ts'

/** The Clock, and the present time. */
export type ScheduleDeps = { scheduleOrFail: ScheduleOrFail; clock(): Date }

/**
 * Schedules the first status check of a transaction, before it is sent.
 * @throws ApiError dependency_unavailable
 */
export const scheduleSettlement = ({ scheduleOrFail, clock }: ScheduleDeps): Promise<void> =>
  scheduleOrFail('settlement', firstCheck(clock()))

/**
 * Records a signed transaction, then schedules its first status check. A settlement job in between would not
 * see the transaction yet, and its answer would replace an earlier schedule.
 * @throws ApiError `dependency_unavailable`, even after the record; errors of the write
 */
export async function recordThenSchedule<T>(deps: ScheduleDeps, record: () => Promise<T>): Promise<T> {
  const recorded = await record()
  await scheduleSettlement(deps)
  return recorded
}
