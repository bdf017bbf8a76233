import { isWallet } from '../../schema/wallet.ts'
import type { Wire } from '../../schema/wire/common.ts'
import type { PioneerStatus } from '../../schema/wire/pioneer.ts'
import type { Db } from '../db/connect.ts'
import { findPioneer, type PioneerRow } from './queries.ts'

/** Finds the pioneer with this id; undefined for any other wallet or text. */
export const readPioneer = async (deps: { db: Db }, userId: string): Promise<PioneerRow | undefined> =>
  isWallet(userId) ? findPioneer(deps.db, userId) : undefined

/**
 * Returns the answer of GET /pioneer, with the pioneer's referrer and the number of its referrals. For
 * other wallets it only says that they are not pioneers.
 */
export const pioneerView = (pioneer: PioneerRow | undefined): Wire<typeof PioneerStatus> => ({
  isPioneer: pioneer !== undefined,
  tier: pioneer?.tier,
  joinedAt: pioneer?.joinedAt.toISOString(),
  inviteCode: pioneer?.inviteCode,
  referredBy: pioneer?.referredBy ?? undefined,
  referralBounties: pioneer?.referralBounties,
})
