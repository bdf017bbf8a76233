import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import type { FeeSettings } from './dealings/settings.ts'
import { type AttestationRow, selectStanding } from './queries.ts'
import { type Standing, standingOf } from './rules.ts'

/** Computes a wallet's reputation at `now`. An unknown wallet has a score of 0. */
export async function readReputation(
  deps: { db: Db; now: Date; fees: FeeSettings },
  wallet: Wallet,
): Promise<{ wallet: Wallet; standing: Standing; attestations: AttestationRow[] }> {
  const { facts, attestations } = await selectStanding(deps.db, wallet, deps.fees.feeStep)
  const levels = attestations.map(({ verificationLevel, expiresAt }) => ({
    level: verificationLevel,
    expiresAt,
  }))
  const standing = standingOf({ ...facts, attestations: levels }, deps.now)
  return { wallet, standing, attestations }
}
