import * as postgres from '../db/functions.ts'
import type { WorkDeps } from './deps.ts'
import { gapsOf } from './outages.ts'

/**
 * Settles the deadline of a job that has passed: moves it by the outages, or ends the job by the default. The
 * caller then repeats the act that found it `due`.
 * @throws ApiError dependency_unavailable if the Clock does not answer
 */
export async function settleDeadline(
  { db, now, notify, schedule, outages }: Pick<WorkDeps, 'db' | 'now' | 'notify' | 'schedule' | 'outages'>,
  id: string,
): Promise<void> {
  const gaps = gapsOf(await outages(now))
  const { dueAt, toNotify } = await postgres.settleJob.call(db, { id, now, ...gaps })
  notify(toNotify)
  if (dueAt) schedule('deadlines', dueAt)
}
