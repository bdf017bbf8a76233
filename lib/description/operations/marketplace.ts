import { ProtocolStats } from '../../../schema/wire/marketplace.ts'
import type { Components, Operations } from '../types.ts'

export const operations: Operations = {
  'GET /marketplace/stats': {
    id: 'getProtocolStats',
    tag: 'Statistics',
    summary: 'The protocol in five figures',
    description: 'Exact and of this moment, all five of the same.',
    responses: {
      200: {
        description: 'The figures.',
        schema: 'ProtocolStats',
        example: {
          totalPioneers: 312,
          totalAgents: 1840,
          totalAttestations: 5127,
          totalValueLocked: 48250000000000000,
          spotsRemaining: 688,
        },
        headers: {
          'CDN-Cache-Control': 'How long an edge cache, if the operator has one, may answer by itself.',
        },
      },
    },
    errors: ['dependency_unavailable'],
  },
}

export const components: Components = {
  ProtocolStats: {
    schema: ProtocolStats,
    description: 'The protocol’s figures.',
    fields: {
      totalPioneers: 'Wallets that have joined as pioneers.',
      totalAgents: 'Marketplace agents, whatever their status.',
      totalAttestations: 'All attestations ever recorded.',
      totalValueLocked:
        'Principal of all positions that are not withdrawn, in base units (10^-9 CRED). May exceed 2^53.',
      spotsRemaining: 'Pioneer spots that are still free.',
    },
  },
}
