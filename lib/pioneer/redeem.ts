import type { InferOutput } from 'valibot'
import type { PioneerRegister } from '../../schema/wire/pioneer.ts'
import { ApiError } from '../api-error.ts'
import type { Db } from '../db/connect.ts'
import * as postgres from '../db/functions.ts'
import type { Notify } from '../events/outbox/notify.ts'
import { codeHash } from './code-hash.ts'
import { type PioneerRow, pioneerByWallet } from './queries.ts'
import { canonicalCode } from './rules.ts'

/**
 * Redeems an invite code: makes a wallet a pioneer. A refused request does not change the code.
 * @throws ApiError `already_registered` with any code; `invite_code_invalid` without a reason;
 *   `no_spots_left`
 */
export async function redeemInviteCode(
  deps: { db: Db; now: Date; spots: number; notify: Notify },
  { inviteCode, walletAddress: wallet, referredBy }: InferOutput<typeof PioneerRegister>,
): Promise<PioneerRow> {
  const code = canonicalCode(inviteCode)
  const hash = code === undefined ? undefined : await codeHash(code)
  const { db, spots, now } = deps
  const [{ outcome, toNotify }, [pioneer]] = await postgres.redeemInvite.callThenRead(
    db,
    { wallet, code, codeHash: hash, referredBy, spots, now },
    pioneerByWallet.item({ wallet }),
  )
  switch (outcome) {
    case 'already_registered':
      throw new ApiError('already_registered', 'This wallet is already a pioneer.')
    case 'invite_code_invalid':
      throw new ApiError('invite_code_invalid', 'This invite code is unknown, used, expired or revoked.')
    case 'no_spots_left':
      throw new ApiError('no_spots_left', 'All pioneer spots are taken.')
    case 'joined':
      if (!pioneer) throw new Error('the recorded pioneer is missing')
      deps.notify(toNotify)
      return pioneer
  }
}
