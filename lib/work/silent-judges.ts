import type { Db } from '../db/connect.ts'
import type { Alert } from '../runtime/alert.ts'
import { DAY_MS } from '../time.ts'
import { countUndecided } from './silent-judge-queries.ts'

/**
 * Alerts an operator to disputes that a judge of the deployment must decide, at least a day before each side
 * gets half: once for each deadline. Also alerts to deadlines that passed a day ago and were not settled.
 * @param deps.alertedUntil stores up to which deadline an operator was alerted, in Unix milliseconds
 */
export async function alertSilentJudges({
  db,
  now,
  alert,
  alertedUntil,
}: {
  db: Db
  now: Date
  alert: Alert
  alertedUntil: { get: () => Promise<number | undefined>; put: (until: number) => Promise<void> }
}): Promise<{ silent: number; overdue: number }> {
  const until = now.getTime() + 2 * DAY_MS
  const { silent, overdue } = await countUndecided(db, {
    from: new Date((await alertedUntil.get()) ?? 0),
    until: new Date(until),
    overdue: new Date(now.getTime() - DAY_MS),
  })
  if (silent > 0)
    alert(`AgentCred: ${silent} disputed jobs need a verdict within two days, or each side gets half.`, now)
  if (overdue > 0)
    alert(`AgentCred: ${overdue} jobs have a deadline that passed a day ago and was not settled.`, now)
  await alertedUntil.put(until)
  return { silent, overdue }
}
