import { JOB_MINUTES } from '../../../schema/values.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../quotas/rules.ts'
import { DAY_MS } from '../../time.ts'
import { KEPT_DAYS, MAX_FUND_MINUTES, UNACCEPTED_KEPT_DAYS, UNFUNDED_JOBS_UNPAID } from '../../work/rules.ts'
import { readWorkers } from '../wrangler.ts'
import { number } from './units.ts'

/**
 * What the longest order takes at most in tables and indexes, and what its acceptance, its input and its end
 * add: kilobytes, with events and deliveries. test/postgres/growth.long.test.ts measures them.
 */
export const JOB_KILOBYTES = { order: 24.7, acceptance: 11.4, input: 9.6, end: 11.4 }

/** The endpoints of both sides that may listen, and the agent's. */
const ENDPOINTS = 2 * WEBHOOK_ENDPOINTS_PER_WALLET + 1

const DAY_MINUTES = DAY_MS / 60_000
/** Rows are deleted by the first daily run after their time. */
const UNTIL_DELETED_DAYS = 1

/** The rows of orders that nobody pays: who orders, and what that stores, wakes and sends. */
export function jobGrowthRows(): string[] {
  const { JOBS_PER_ADDRESS } = Object.assign({}, ...readWorkers().map(({ vars }) => vars))
  const ordersADay = 24 * Number(JOBS_PER_ADDRESS)
  const { order, acceptance, input, end } = JOB_KILOBYTES
  const openDays = JOB_MINUTES.accept.max / DAY_MINUTES
  const unaccepted = { days: openDays + UNACCEPTED_KEPT_DAYS, kilobytes: order + end, events: 2 }
  const accepted = {
    days: openDays + MAX_FUND_MINUTES / DAY_MINUTES + KEPT_DAYS,
    kilobytes: order + acceptance + input + end,
    events: 3,
  }
  const row = (from: string, addresses: number, { days, kilobytes, events }: typeof accepted) => {
    const aDay = addresses * ordersADay
    const kept = days + UNTIL_DELETED_DAYS
    return [
      from,
      number(aDay),
      number(aDay * events * ENDPOINTS),
      String(kept),
      gigabytes(aDay * kept * kilobytes),
    ]
  }
  const unended = 1_000 * UNFUNDED_JOBS_UNPAID
  return [
    row('an address; nobody accepts them', 1, unaccepted),
    row('an address; a wallet of its own accepts them, and they have inputs', 1, accepted),
    row('50 addresses, the same', 50, accepted),
    [
      `1,000 wallets that never paid: ${number(unended)} that have not ended`,
      ...['', '', ''],
      gigabytes(unended * (order + acceptance + input)),
    ],
  ].map((cells) => `| ${cells.join(' | ')} |\n`)
}

const gigabytes = (kilobytes: number): string => `${number(Math.round(kilobytes / 10_000) / 100)} GB`
