import * as v from 'valibot'
import { INVITE_CODE, OTHER_WALLET, WALLET } from '../examples.ts'
import { pioneerTiers } from '../values.ts'
import { OwnText } from './answer-text.ts'
import { body, parameters } from './body.ts'
import { Count, WalletAddress } from './common.ts'
import { Opaque, storableOrEmpty } from './text.ts'

/**
 * Body of POST /pioneer. Any text is accepted as a code; an invalid one gets the answer of an unknown one.
 */
export const PioneerRegister = body(
  'PioneerRegister',
  'An invite code to redeem. Unknown fields are rejected.',
  {
    inviteCode: [Opaque(), 'CRED-XXXXXX-XXXXXX, in any case and spacing; older codes have eight characters.'],
    walletAddress: [WalletAddress, 'The wallet that joins.'],
    referredBy: [v.optional(WalletAddress), 'The wallet that referred it.'],
  },
  { inviteCode: INVITE_CODE, walletAddress: WALLET, referredBy: OTHER_WALLET },
)

/** Query of GET /pioneer. Accepts any text, because a text that is no wallet is not a pioneer either. */
export const PioneerQuery = parameters(
  { user_id: [v.pipe(v.string(), v.nonEmpty('must not be empty'), storableOrEmpty), 'The wallet.'] },
  { user_id: WALLET },
)

export const PioneerStatus = body(
  'PioneerStatus',
  'A wallet’s pioneer status. For a wallet that is not a pioneer only isPioneer is present.',
  {
    isPioneer: [v.boolean(), 'Whether it has joined.'],
    tier: [v.optional(v.picklist(pioneerTiers)), 'The tier of the code that it used.'],
    joinedAt: [v.optional(v.pipe(v.string(), v.isoTimestamp())), 'When it joined.'],
    inviteCode: [v.optional(OwnText), 'The code that it used.'],
    referredBy: [v.optional(OwnText), 'The wallet that it named as its referrer.'],
    referralBounties: [
      v.optional(Count),
      'Number of bounties that it earned: one for each wallet that it referred after it had joined.',
    ],
  },
  {
    isPioneer: true,
    tier: 'founding',
    joinedAt: '2026-11-20T09:00:00.000Z',
    inviteCode: INVITE_CODE,
    referredBy: OTHER_WALLET,
    referralBounties: 0,
  },
)
