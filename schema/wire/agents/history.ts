import * as v from 'valibot'
import { describe } from '../../docs.ts'
import { CalendarDate, WireAmount } from '../common.ts'

/** The number of days in a history, including the present one. */
export const HISTORY_DAYS = 30
/** The most hires, and the most charges, that are counted for one day. */
export const MOST_COUNTED_A_DAY = 200

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

if (WORDS)
  describe(AgentDay, {
    name: 'AgentDay',
    description: 'What became of an agent on a day.',
    fields: {
      day: 'The day, in UTC.',
      hires: `Hires that began on it. ${MOST_COUNTED_A_DAY} stands for as many or more.`,
      charges: `Charges that stand; ${MOST_COUNTED_A_DAY} as above.`,
      requests: 'Requests of it that were paid for (x402). Who owns it may have paid from another wallet.',
      requestsPaid: 'Lamports that were paid in CRED for these.',
      looks: 'How often its present endpoint was looked at.',
      live: 'How many of these looks found the endpoint live.',
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

if (WORDS)
  describe(AgentHistory, {
    name: 'AgentHistory',
    description: 'What became of an agent, day by day.',
    fields: { days: `The last ${HISTORY_DAYS} days, oldest first, each of them.` },
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
