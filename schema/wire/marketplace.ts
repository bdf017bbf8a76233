import * as v from 'valibot'
import { describe } from '../words.ts'
import { WireAmount } from './common.ts'

const Count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const ProtocolStats = v.strictObject({
  totalPioneers: Count,
  totalAgents: Count,
  totalAttestations: Count,
  totalValueLocked: WireAmount,
  spotsRemaining: Count,
})
if (WORDS)
  describe(ProtocolStats, {
    name: 'ProtocolStats',
    description: 'The protocol’s figures.',
    fields: {
      totalPioneers: 'Wallets that have joined as pioneers.',
      totalAgents: 'Marketplace agents, whatever their status.',
      totalAttestations: 'All attestations ever recorded.',
      totalValueLocked:
        'Principal of all positions that are not withdrawn, in base units (10^-9 CRED). May exceed 2^53.',
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
