import * as v from 'valibot'
import { describe, describeParameters } from '../docs.ts'
import { INVITE_CODE, OTHER_WALLET, WALLET } from '../examples.ts'
import { pioneerTiers } from '../values.ts'
import { OwnText } from './answer-text.ts'
import { WalletAddress } from './common.ts'
import { Opaque, storableOrEmpty } from './text.ts'

/**
 * Body of POST /pioneer. Any text is accepted as a code; an invalid one gets the answer of an unknown one.
 */
export const PioneerRegister = v.strictObject({
  inviteCode: Opaque(),
  walletAddress: WalletAddress,
  referredBy: v.optional(WalletAddress),
})

describe(PioneerRegister, {
  name: 'PioneerRegister',
  description: 'An invite code to redeem. Unknown fields are rejected.',
  fields: {
    inviteCode: 'CRED-XXXXXX-XXXXXX, in any case and spacing; older codes have eight characters.',
    walletAddress: 'The wallet that joins.',
    referredBy: 'The wallet that referred it.',
  },
  example: { inviteCode: INVITE_CODE, walletAddress: WALLET, referredBy: OTHER_WALLET },
})

/** Query of GET /pioneer. Accepts any text, because a text that is no wallet is not a pioneer either. */
export const PioneerQuery = v.object({
  user_id: v.pipe(v.string(), v.nonEmpty('must not be empty'), storableOrEmpty),
})

describeParameters(PioneerQuery, { user_id: 'The wallet.' }, { user_id: WALLET })

export const PioneerStatus = v.strictObject({
  isPioneer: v.boolean(),
  tier: v.optional(v.picklist(pioneerTiers)),
  joinedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  inviteCode: v.optional(OwnText),
  referredBy: v.optional(OwnText),
  referralBounties: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
describe(PioneerStatus, {
  name: 'PioneerStatus',
  description: 'A wallet’s pioneer status. For a wallet that is not a pioneer only isPioneer is present.',
  fields: {
    isPioneer: 'Whether it has joined.',
    tier: 'The tier of the code that it used.',
    joinedAt: 'When it joined.',
    inviteCode: 'The code that it used.',
    referredBy: 'The wallet that it named as its referrer.',
    referralBounties:
      'Number of bounties that it earned: one for each wallet that it referred after it had joined.',
  },
  example: {
    isPioneer: true,
    tier: 'founding',
    joinedAt: '2026-11-20T09:00:00.000Z',
    inviteCode: INVITE_CODE,
    referredBy: OTHER_WALLET,
    referralBounties: 0,
  },
})
