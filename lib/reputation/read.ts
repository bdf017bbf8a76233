import type { Wallet } from '../../schema/wallet.ts'
import type { Db } from '../db/connect.ts'
import type { FeeSettings } from './counterparties/settings.ts'
import { type AttestationRow, selectReputationFacts } from './queries.ts'
import { type ReputationSummary, summaryOf } from './rules.ts'

/** Computes a wallet's reputation at `now`. An unknown wallet has a score of 0. */
export async function readReputation(
  deps: { db: Db; now: Date; fees: FeeSettings },
  wallet: Wallet,
): Promise<{ wallet: Wallet; summary: ReputationSummary; attestations: AttestationRow[] }> {
  const { facts, attestations } = await selectReputationFacts(deps.db, wallet, deps.fees.feeStep)
  const levels = attestations.map(({ verificationLevel, expiresAt }) => ({
    level: verificationLevel,
    expiresAt,
  }))
  const summary = summaryOf({ ...facts, attestations: levels }, deps.now)
  return { wallet, summary, attestations }
}
