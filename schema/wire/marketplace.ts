import * as v from 'valibot'
import { body, parameters } from './body.ts'
import { CalendarDate, Count, IntegerParameter, Timestamp, WireAmount } from './common.ts'

const figures = {
  totalPioneers: [Count, 'Wallets that have joined as pioneers.'],
  totalAgents: [Count, 'Marketplace agents of any status.'],
  totalAttestations: [Count, 'All attestations ever recorded.'],
  totalValueLocked: [
    WireAmount,
    'Principal of all positions that are not withdrawn, in base units (10^-9 CRED): a JSON integer that may exceed 2^53.',
  ],
} as const

export const ProtocolStats = body(
  'ProtocolStats',
  'The protocol’s figures.',
  { ...figures, spotsRemaining: [Count, 'Pioneer spots that are still free.'] },
  {
    totalPioneers: 312,
    totalAgents: 1840,
    totalAttestations: 5127,
    totalValueLocked: 48250000000000000,
    spotsRemaining: 688,
  },
)

const DEFAULT_DAYS = 30
const MAX_DAYS = 365

/** Query of GET /marketplace/stats/history. */
export const StatsHistoryQuery = parameters({
  days: [
    v.optional(IntegerParameter(1, MAX_DAYS), String(DEFAULT_DAYS)),
    'The number of days up to today (UTC), including today.',
  ],
})

const StatsDay = body(
  'StatsDay',
  'The protocol’s figures, as recorded once a day, soon after it began.',
  {
    day: [CalendarDate, 'The day, in UTC.'],
    takenAt: [
      Timestamp,
      'When they were recorded: usually at 00:07 UTC, or later that day if the scheduled jobs were delayed.',
    ],
    ...figures,
  },
  {
    day: '2026-11-20',
    takenAt: '2026-11-20T00:07:00.412Z',
    totalPioneers: 308,
    totalAgents: 1795,
    totalAttestations: 5004,
    totalValueLocked: 47100000000000000,
  },
)

export const StatsHistory = body(
  'StatsHistory',
  'The protocol’s figures, day by day.',
  { days: [v.array(StatsDay), 'Oldest first. A day on which nothing was recorded is left out.'] },
  {
    days: [
      {
        day: '2026-11-20',
        takenAt: '2026-11-20T00:07:00.412Z',
        totalPioneers: 308,
        totalAgents: 1795,
        totalAttestations: 5004,
        totalValueLocked: 47100000000000000,
      },
    ],
  },
)
