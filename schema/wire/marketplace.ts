import * as v from 'valibot'
import { describe, describeParameters } from '../docs.ts'
import { CalendarDate, IntegerParameter, Timestamp, WireAmount } from './common.ts'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

const figures = {
  totalPioneers: Count,
  totalAgents: Count,
  totalAttestations: Count,
  totalValueLocked: WireAmount,
}

const figureWords = {
  totalPioneers: 'Wallets that have joined as pioneers.',
  totalAgents: 'Marketplace agents of any status.',
  totalAttestations: 'All attestations ever recorded.',
  totalValueLocked:
    'Principal of all positions that are not withdrawn, in base units (10^-9 CRED): a JSON integer that may exceed 2^53.',
}

export const ProtocolStats = v.strictObject({ ...figures, spotsRemaining: Count })
describe(ProtocolStats, {
  name: 'ProtocolStats',
  description: 'The protocol’s figures.',
  fields: {
    ...figureWords,
    spotsRemaining: 'Pioneer spots that are still free.',
  },
  example: {
    totalPioneers: 312,
    totalAgents: 1840,
    totalAttestations: 5127,
    totalValueLocked: 48250000000000000,
    spotsRemaining: 688,
  },
})

const DEFAULT_DAYS = 30
const MAX_DAYS = 365

/** Query of GET /marketplace/stats/history. */
export const StatsHistoryQuery = v.object({
  days: v.optional(IntegerParameter(1, MAX_DAYS), String(DEFAULT_DAYS)),
})

describeParameters(StatsHistoryQuery, { days: 'The number of days up to today (UTC), including today.' })

const StatsDay = v.strictObject({ day: CalendarDate, takenAt: Timestamp, ...figures })

describe(StatsDay, {
  name: 'StatsDay',
  description: 'The protocol’s figures, as recorded once a day, soon after it began.',
  fields: {
    day: 'The day, in UTC.',
    takenAt:
      'When they were recorded: usually at 00:07 UTC, or later that day if the scheduled jobs were delayed.',
    ...figureWords,
  },
  example: {
    day: '2026-11-20',
    takenAt: '2026-11-20T00:07:00.412Z',
    totalPioneers: 308,
    totalAgents: 1795,
    totalAttestations: 5004,
    totalValueLocked: 47100000000000000,
  },
})

export const StatsHistory = v.strictObject({ days: v.array(StatsDay) })

describe(StatsHistory, {
  name: 'StatsHistory',
  description: 'The protocol’s figures, day by day.',
  fields: { days: 'Oldest first. A day on which nothing was recorded is left out.' },
  example: {
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
})
