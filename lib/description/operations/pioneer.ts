import { PioneerRegister, PioneerStatus } from '../../../schema/wire/pioneer.ts'
import { OTHER_WALLET, WALLET } from '../examples.ts'
import type { Components, Operations } from '../types.ts'

const tag = 'Pioneers' as const

const pioneer = {
  isPioneer: true,
  tier: 'founding',
  joinedAt: '2026-11-20T09:00:00.000Z',
  inviteCode: 'CRED-7K3M-9QXZ',
  referredBy: OTHER_WALLET,
  referralBounties: 0,
}

export const operations: Operations = {
  'GET /pioneer': {
    id: 'getPioneer',
    tag,
    summary: 'Whether a wallet is a pioneer',
    description: 'Answers for any text: what is no wallet, or none that has joined, is no pioneer.',
    parameters: { user_id: { description: 'The wallet.', example: WALLET } },
    responses: { 200: { description: 'Its status.', schema: 'PioneerStatus', example: pioneer } },
    errors: ['dependency_unavailable'],
  },
  'POST /pioneer': {
    id: 'claimPioneerSpot',
    tag,
    summary: 'Claim a spot with an invite code',
    description:
      'Takes a spot, uses the code and records the wallet, all or nothing. Codes are read in any case, O as 0, I and L as 1, with hyphens and spaces anywhere or nowhere. Any wallet may be named as referrer; one that is a pioneer, and not oneself, earns a bounty. A refused claim leaves the code as it was.',
    request: { inviteCode: 'CRED-7K3M-9QXZ', walletAddress: WALLET, referredBy: OTHER_WALLET },
    responses: { 201: { description: 'The new pioneer.', schema: 'PioneerStatus', example: pioneer } },
    errors: ['invite_code_invalid', 'already_registered', 'no_spots_left', 'dependency_unavailable'],
  },
}

export const components: Components = {
  PioneerStatus: {
    schema: PioneerStatus,
    description: 'What a wallet is among the pioneers. Of a wallet that is none only isPioneer is said.',
    fields: {
      isPioneer: 'Whether it has joined.',
      tier: 'The tier of the code that it joined by.',
      joinedAt: 'When it joined.',
      inviteCode: 'The code that it joined by, now used.',
      referredBy: 'The wallet that it named as its referrer.',
      referralBounties: 'How many pioneers it has brought.',
    },
  },
  PioneerRegister: {
    schema: PioneerRegister,
    description: 'A claim. Unknown fields are refused.',
    fields: {
      inviteCode: 'CRED-XXXX-XXXX, in any spelling.',
      walletAddress: 'The wallet that joins.',
      referredBy: 'The wallet that brought it.',
    },
  },
}
