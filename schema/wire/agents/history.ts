import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { CalendarDate, WireAmount } from '../common.ts'

/** The number of days in a history, including the present one. */
export const HISTORY_DAYS = 30
/** The most hires, and the most charges, that are counted for one day. */
export const MAX_COUNTED_A_DAY = 200

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

const AgentDay = v.strictObject({
  day: CalendarDate,
  hires: Count,
  charges: Count,
  requests: Count,
  requestsPaid: WireAmount,
  looks: Count,
  live: Count,
})

describe(AgentDay, {
  name: 'AgentDay',
  description: 'An agent’s activity on one day.',
  fields: {
    day: 'The day, in UTC.',
    hires: `Hires that began on this day. ${MAX_COUNTED_A_DAY} means as many or more.`,
    charges: `Charges that were not voided. ${MAX_COUNTED_A_DAY} means as many or more.`,
    requests: 'Paid requests to it (x402). Its owner may have paid some of them from another wallet.',
    requestsPaid: 'Lamports paid in CRED for these requests.',
    looks: 'How often its current endpoint was probed.',
    live: 'How many of these probes found the endpoint live.',
  },
  example: {
    day: '2026-11-20',
    hires: 2,
    charges: 5,
    requests: 31,
    requestsPaid: 310_000_000,
    looks: 4,
    live: 4,
  },
})

export const AgentHistory = v.strictObject({ days: v.array(AgentDay) })

describe(AgentHistory, {
  name: 'AgentHistory',
  description: 'An agent’s activity, day by day.',
  fields: { days: `Each of the last ${HISTORY_DAYS} days, oldest first.` },
  example: {
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
})
