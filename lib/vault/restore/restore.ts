import { base64 } from '@scure/base'
import { cred } from '../../../schema/amounts.ts'
import * as postgres from '../../db/functions.ts'
import type { LandedSignature } from '../../solana/rpc.ts'
import { readLanded, successfulSince } from '../../transactions/confirmation/history-backfill.ts'
import { confirmSuspectedPayouts, forEachReading, type VaultReading } from '../breaker/job-runs.ts'
import { isActionable, type Observation } from '../breaker/observation.ts'
import { recordObservations } from '../breaker/observation-queries.ts'
import { validPosition, vaultState } from '../chain-state.ts'
import type { SettleDeps } from '../deps.ts'
import { type LandedIntent, landedIntent } from '../escrow/landed.ts'
import { MAX_POSITIONS_PER_RUN } from '../limits.ts'
import { findTransaction } from '../queries.ts'
import { vaultsByKeyVersion } from '../settlement/settlement.ts'
import { selectOpenPositions } from './restore-queries.ts'

/** Transactions and positions on the chain that a restored database lacked. */
export type VaultFindings = {
  /** Stacks, claims and withdrawals, in the order in which they landed. */
  found: (LandedIntent & { signature: string })[]
  /** Open positions that are gone, had an early payout, or are not in escrow. */
  actionable: Observation[]
  /** Transactions with a memo of the service that a recovery key has signed. */
  recovery: LandedSignature[]
  /** The number of failed reads of positions, each with an error line. Their results are missing. */
  failures: number
}

type RestoreDeps = SettleDeps & { since: Date; isPlan: boolean }

/**
 * Reads the vault's transactions since a time from the chain and records them, by the memos that an authority
 * has signed. Then reads every open position's account, since an owner with the recovery key can withdraw
 * without the authority. Idempotent. A plan records nothing.
 * @throws ApiError dependency_unavailable
 */
export async function restoreVault(deps: RestoreDeps): Promise<VaultFindings> {
  const { escrow, rpc, since } = deps
  const authorities = escrow.keyVersions.map(({ authority }) => authority)
  const found: VaultFindings['found'] = []
  for (const { signature, slot, landedAt = since } of await successfulSince(rpc, authorities, since)) {
    const landed = await readLanded(rpc, signature)
    const intent = landed && (await landedIntent(landed.message, escrow))
    if (!landed || !intent) continue
    const known = await findTransaction(deps.db, intent.id)
    if (known?.intent.status === 'landed' || known?.intent.status === 'failed') continue
    const at = { signature, slot, landedAt, transaction: landed.transaction, bytes: landed.bytes }
    if (deps.isPlan || (await record(deps, intent, at))) found.push({ ...intent, signature })
  }
  const { actionable, failedCalls } = await auditAll(deps)
  const early = deps.isPlan ? undefined : await confirmSuspectedPayouts(deps)
  const failures = failedCalls + (early?.failed ?? 0) + (early?.failedCalls ?? 0)
  return { found, actionable, failures, recovery: await signedByRecovery(deps) }
}

async function signedByRecovery({ escrow, rpc, since }: RestoreDeps): Promise<LandedSignature[]> {
  const recoveries = escrow.keyVersions.map(({ recovery }) => recovery)
  const signed: LandedSignature[] = []
  for (const entry of await successfulSince(rpc, recoveries, since)) {
    const accounts = (await readLanded(rpc, entry.signature))?.message.accounts ?? []
    const isSigned = accounts.some(({ address, isSigner }) => isSigner && recoveries.includes(address))
    if (isSigned) signed.push(entry)
  }
  return signed
}

type LandedAt = { signature: string; slot: bigint; landedAt: Date; transaction: string; bytes: Uint8Array }

/** @returns whether it was recorded; false if it was recorded before, or its vault has other signers */
async function record(deps: RestoreDeps, intent: LandedIntent, at: LandedAt): Promise<boolean> {
  const { db, rpc, escrow, now } = deps
  const { id, kind, owner, keys, legs, terms, memo } = intent
  const keyed = (await vaultsByKeyVersion(owner, escrow)).get(keys.keyVersion)
  if (!keyed) return false
  const addresses = legs.map(({ address }) => address)
  const seen = await rpc.accounts([keyed.vault, ...addresses], { commitment: 'finalized' })
  const [vault, ...accounts] = seen.accounts
  if (vaultState(vault, keyed.escrow).kind !== 'open') return false
  const valid = accounts.map((account) => validPosition(account, keyed))
  const { outcome } = await postgres.recordFoundIntent.call(db, {
    id,
    owner,
    kind,
    keyVersion: keys.keyVersion,
    transaction: at.transaction,
    message: memo,
    cosignedMessage: base64.encode(at.bytes),
    networkSignature: at.signature,
    slot: at.slot,
    landedAt: at.landedAt,
    ...terms,
    addresses,
    amounts: legs.map(({ amount }) => amount),
    balances: valid.map((position) => position?.amount ?? cred(0n)),
    seenSlot: seen.slot,
    now,
  })
  return outcome === 'landed'
}

/** Reads every open position. */
async function auditAll(deps: RestoreDeps) {
  const actionable: Observation[] = []
  let failedCalls = 0
  for (let after = ''; ; ) {
    const rows = await selectOpenPositions(deps.db, { after, limit: MAX_POSITIONS_PER_RUN })
    const record = async (_: unknown, reading: VaultReading) => {
      const observations = reading.observations.filter((one) => one !== undefined)
      actionable.push(...observations.filter(isActionable))
      if (!deps.isPlan) await recordObservations(deps, observations, reading)
    }
    // The finalized reads confirm early payouts at once, too.
    failedCalls += (await forEachReading(deps, 'restore', rows, record, 'finalized')).failedCalls
    const last = rows.at(-1)
    if (!last || rows.length < MAX_POSITIONS_PER_RUN) return { actionable, failedCalls }
    after = last.address
  }
}
