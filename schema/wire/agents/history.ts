import * as v from 'valibot'
import { body } from '../body.ts'
import { CalendarDate, Count, WireAmount } from '../common.ts'

/** The number of days in a history, including the present one. */
export const HISTORY_DAYS = 30
/** The most hires, and the most charges, that are counted for one day. */
export const MAX_COUNTED_A_DAY = 200

const AgentDay = body(
  'AgentDay',
  'An agent’s activity on one day.',
  {
    day: [CalendarDate, 'The day, in UTC.'],
    hires: [Count, `Hires that began on this day. ${MAX_COUNTED_A_DAY} means as many or more.`],
    charges: [Count, `Charges that were not voided. ${MAX_COUNTED_A_DAY} means as many or more.`],
    requests: [
      Count,
      'Paid requests to it (x402). Its owner may have paid some of them from another wallet.',
    ],
    requestsPaid: [WireAmount, 'Lamports paid in CRED for these requests.'],
    looks: [Count, 'How often its current endpoint was probed.'],
    live: [Count, 'How many of these probes found the endpoint live.'],
  },
  {
    day: '2026-11-20',
    hires: 2,
    charges: 5,
    requests: 31,
    requestsPaid: 310_000_000,
    looks: 4,
    live: 4,
  },
)

export const AgentHistory = body(
  'AgentHistory',
  'An agent’s activity, day by day.',
  { days: [v.array(AgentDay), `Each of the last ${HISTORY_DAYS} days, oldest first.`] },
  {
    days: [
      {
        day: '2026-11-20',
        hires: 2,
        charges: 5,
        requests: 31,
        requestsPaid: 310_000_000,
        looks: 4,
        live: 4,
      },
    ],
  },
)
