import type { Neon } from './neon-client.ts'

/*
 * The limits of Neon's plans, as published by 2026-11-26: https://neon.com/docs/introduction/plans and
 * https://neon.com/docs/introduction/history-window. functions/plans.md has the prices.
 */

const HOUR = 3_600

/** The limits of one project on Neon's free plan. */
export const FREE = {
  /** Hours of a compute unit in a month. */
  unitHours: 100,
  storageBytes: 500_000_000,
  historySeconds: 6 * HOUR,
}

/** The longest history window on the Launch plan, in seconds; Scale has longer ones. */
const PAID_HISTORY_SECONDS = 7 * 24 * HOUR

/** Returns whether a plan, such as `free_v3` or `launch_v3`, is the free one. */
export const isFree = (plan: string): boolean => plan.startsWith('free')

/** Returns the history window that setup asks for, in seconds. */
export const historyOf = (plan: string): number => (isFree(plan) ? FREE.historySeconds : PAID_HISTORY_SECONDS)

/** Formats a history window: "6 hours", "7 days". @param seconds a whole number of hours */
function spanOf(seconds: number): string {
  const hours = Math.round(seconds / HOUR)
  const [count, unit] = hours >= 24 && hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Returns a line that says how far back Neon can restore a project, and how far its plan allows. */
export function historyLine(seconds: number | undefined, plan: string | undefined): string {
  const setting = 'under Settings, Instant restore in Neon’s console'
  if (seconds === undefined) return `      how far back Neon can restore it is shown ${setting}`
  const restorable = `      Neon can restore it to any time of the last ${spanOf(seconds)}`
  const most = plan === undefined ? seconds : historyOf(plan)
  return seconds < most
    ? `${restorable}; its plan allows ${spanOf(most)}: change it ${setting}`
    : `${restorable}; for older states, use npm run backup`
}

/** Returns the bytes that a plan stores; empty if it bills by use; undefined if the plan is unknown. */
export const storageOf = (plan: string | undefined): string | undefined =>
  plan && (isFree(plan) ? String(FREE.storageBytes) : '')

/** Reads the plan of an organization, or of the key's account; undefined if the key may not read it. */
export const planOf = (client: Neon, orgId: string | undefined): Promise<string | undefined> =>
  (orgId === undefined ? client.getCurrentUserInfo() : client.getOrganization(orgId)).then(
    ({ data }) => data.plan,
    // A key of one project may not read it.
    () => undefined,
  )
