import type { InferOutput } from 'valibot'
import type { PioneerRegister } from '../../schema/wire/pioneer.ts'
import type { Db } from '../db/connect.ts'
import type { Nudge } from '../events/outbox/nudge.ts'
import { Refusal } from '../refusal.ts'
import { codeHash } from './code-hash.ts'
import type { PioneerRow } from './queries.ts'
import { redeem } from './redeem-queries.ts'
import { canonicalCode } from './rules.ts'

/**
 * Redeems an invite code: makes a wallet a pioneer. A refused request leaves the code as it was.
 * @throws Refusal already_registered, before the code is looked at; invite_code_invalid, which does not say
 *   why; no_spots_left
 */
export async function redeemInviteCode(
  deps: { db: Db; now: Date; spots: number; nudge: Nudge },
  { inviteCode, walletAddress: wallet, referredBy }: InferOutput<typeof PioneerRegister>,
): Promise<PioneerRow> {
  const text = canonicalCode(inviteCode)
  const code = text === undefined ? undefined : { text, hash: await codeHash(text) }
  const { isNew, isCodeGood, due, pioneer } = await redeem(deps.db, {
    wallet,
    code,
    referredBy,
    spots: deps.spots,
    now: deps.now,
  })
  deps.nudge(due)
  if (pioneer && isNew) return pioneer
  if (pioneer) throw new Refusal('already_registered', 'This wallet is a pioneer already.')
  if (!isCodeGood) {
    throw new Refusal('invite_code_invalid', 'This invite code is unknown, used, expired or revoked.')
  }
  throw new Refusal('no_spots_left', 'All pioneer spots are taken.')
}
