import { repeated } from '../../clock/job-steps.ts'
import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { logError } from '../../runtime/log.ts'
import { parseAddress } from '../../solana/address.ts'
import { DAY_MS } from '../../time.ts'
import type { AttestationRow } from '../queries.ts'
import { expiryInstant, levelOf } from './credentials.ts'
import { recordChecked, selectProven } from './proof-queries.ts'
import { MAX_PROOF_BYTES, proofOf } from './proofs.ts'
import type { ReviewDeps } from './review.ts'

/** The most accounts of one RPC call. */
const MAX_PER_CALL = 100
/** A run checks proofs that were last checked longer ago than this, so each is checked once a day. */
const RECHECK_AFTER_MS = DAY_MS / 2

/**
 * Checks proofs on the chain again, oldest check first. Revokes a proof whose account is gone, expired,
 * changed or no longer trusted; its attestation gets its former level. Safe to run concurrently. A failure
 * does not stop the other proofs.
 * @throws ApiError dependency_unavailable if the chain does not answer or is behind the slot of the last
 *   check; nothing is revoked then
 */
export async function recheckProofs(
  deps: ReviewDeps & { elapsed: () => number },
): Promise<{ held: number; revoked: number; more: boolean }> {
  const counts = { held: 0, revoked: 0 }
  const checkedBefore = deps.now.getTime() - RECHECK_AFTER_MS
  const { more } = await repeated(deps.elapsed, MAX_PER_CALL, async (limit) => {
    const rows = await selectProven(deps.db, limit)
    const [oldest] = rows
    const isDone =
      counts.held + counts.revoked > 0 && (oldest?.proofCheckedAt?.getTime() ?? 0) > checkedBefore
    if (!oldest || isDone) return 0
    const revoked = await recheck(deps, rows)
    counts.held += rows.length - revoked
    counts.revoked += revoked
    return rows.length
  })
  return { ...counts, more }
}

/** Checks some proofs. @returns the number of revoked ones */
async function recheck(deps: ReviewDeps, rows: AttestationRow[]): Promise<number> {
  const { db, now } = deps
  const { slot, accounts } = await deps.rpc.accounts(
    rows.map((row) => parseAddress(row.proofAccount ?? row.credentialId)),
    { minSlot: newestSlot(rows), maxBytes: MAX_PROOF_BYTES },
  )
  const checked = []
  let revoked = 0
  for (const [i, row] of rows.entries()) {
    const proof = proofOf(row, accounts[i], deps)
    const ownEnd = row.expiryDate === null ? null : expiryInstant(row.expiryDate)
    if (proof) {
      checked.push({ id: row.id, expiresAt: earlier(ownEnd, proof.expiresAt) })
      continue
    }
    try {
      const before = { level: levelOf(row.documentUrl), expiresAt: ownEnd }
      const proof = { id: row.id, slot: row.proofSlot, ...before, reason: FALLEN, now }
      const { outcome, toNotify } = await postgres.revokeProof.call(db, proof)
      if (outcome !== 'revoked') continue
      deps.notify(toNotify)
      revoked += 1
    } catch (error) {
      // It moves to the end of the queue, to be checked again later.
      checked.push({ id: row.id, expiresAt: row.expiresAt })
      logError({ job: 'proofs', attestationId: row.id, reason: reasonOf(error) })
    }
  }
  await recordChecked(db, checked, { slot, now })
  return revoked
}

const FALLEN = 'The account on the chain no longer proves it'

const newestSlot = (rows: AttestationRow[]): bigint =>
  rows.map(({ proofSlot }) => proofSlot ?? 0n).reduce((newest, slot) => (slot > newest ? slot : newest), 0n)

const earlier = (a: Date | null, b: Date | undefined): Date | null =>
  a && b ? (a < b ? a : b) : (a ?? b ?? null)
