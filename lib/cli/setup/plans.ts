import type { Neon } from './neon-client.ts'

/*
 * What Neon's plans give, as published by 2026-11-26: https://neon.com/docs/introduction/plans and
 * https://neon.com/docs/introduction/history-window. functions/plans.md has the prices.
 */

const HOUR = 3_600

/** What Neon's free plan gives one project. */
export const FREE = {
  /** Hours of a compute unit in a month. */
  unitHours: 100,
  storageBytes: 500_000_000,
  historySeconds: 6 * HOUR,
}

/** The longest history window that Launch takes, in seconds; Scale takes longer ones. */
const PAID_HISTORY_SECONDS = 7 * 24 * HOUR

/** Whether a plan, such as `free_v3` or `launch_v3`, is the free one. */
export const isFree = (plan: string): boolean => plan.startsWith('free')

/** The history window that setup asks for, in seconds. */
export const historyOf = (plan: string): number => (isFree(plan) ? FREE.historySeconds : PAID_HISTORY_SECONDS)

/** Writes a history window out: "6 hours", "7 days". @param seconds of whole hours */
function spanOf(seconds: number): string {
  const hours = Math.round(seconds / HOUR)
  const [count, unit] = hours >= 24 && hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** Says how far back Neon can restore a project, and how far its plan would let it. */
export function historyLine(seconds: number | undefined, plan: string | undefined): string {
  const setting = 'under Settings, Instant restore in Neon’s console'
  if (seconds === undefined) return `      how far back Neon can restore it stands ${setting}`
  const kept = `      Neon can restore it to any time of the last ${spanOf(seconds)}`
  const most = plan === undefined ? seconds : historyOf(plan)
  return seconds < most
    ? `${kept}; its plan allows ${spanOf(most)}: set them ${setting}`
    : `${kept}: for what is older, npm run backup`
}

/** The bytes that a plan stores; empty: as many as are paid for. Undefined where the plan is. */
export const storageOf = (plan: string | undefined): string | undefined =>
  plan && (isFree(plan) ? String(FREE.storageBytes) : '')

/** Asks for the plan of an organization, or of the key's account; undefined where the key may not ask. */
export const planOf = (client: Neon, orgId: string | undefined): Promise<string | undefined> =>
  (orgId === undefined ? client.getCurrentUserInfo() : client.getOrganization(orgId)).then(
    ({ data }) => data.plan,
    // A key of one project may not ask.
    () => undefined,
  )
