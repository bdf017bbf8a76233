import * as v from 'valibot'
import { pioneerTiers } from '../values.ts'
import { WalletAddress } from './common.ts'

/** Body of POST /pioneer. Any text is taken for a code: what is none of ours gets the answer of an unknown one. */
export const PioneerRegister = v.strictObject({
  inviteCode: v.string(),
  walletAddress: WalletAddress,
  referredBy: v.optional(WalletAddress),
})

export const PioneerQuery = v.object({
  user_id: v.pipe(v.string(), v.nonEmpty('must not be empty')),
})

export const PioneerStatus = v.strictObject({
  isPioneer: v.boolean(),
  tier: v.optional(v.picklist(pioneerTiers)),
  joinedAt: v.optional(v.pipe(v.string(), v.isoTimestamp())),
  inviteCode: v.optional(v.string()),
  referredBy: v.optional(v.string()),
  referralBounties: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
})
