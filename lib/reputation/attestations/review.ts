import type { Db } from '../../db/connect.ts'
import { outageReason, reasonOf, violatedConstraint } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { logError } from '../../runtime/log.ts'
import { isAddress, parseAddress } from '../../solana/address.ts'
import type { Rpc } from '../../solana/rpc.ts'
import type { AttestationRow } from '../queries.ts'
import { MAX_PROOF_BYTES, proofOf, type TrustedProof } from './proofs.ts'
import { moveToReview, selectPending } from './queue-queries.ts'

/**
 * Attestations per run. Each needs one or two statements; all accounts are read with one RPC call.
 */
const MAX_PER_RUN = 50

/** Failures in a row of the database after which a run ends. */
const MAX_OUTAGES = 2

export type ReviewDeps = {
  db: Db
  rpc: Rpc
  trustedProofs: TrustedProof[]
  now: Date
  notify: Notify
}

type Counts = { proven: number; inReview: number }

/** The counts of a run, and whether pending attestations are left. */
type Reviewed = Counts & { more: boolean }

/**
 * Reviews pending attestations in the order of the queue. An on-chain attestation of a trusted issuer is
 * verified at once; all others go to the oracles. Safe to run concurrently and to repeat, because each step
 * has a condition on the status before. If one fails, it goes to the oracles with a reason.
 * @throws ApiError dependency_unavailable if the chain was needed and did not answer; attestations that
 *   needed no chain are done
 * @throws the database's error if it did not answer
 */
export async function reviewPending(deps: ReviewDeps): Promise<Reviewed> {
  const { trustedProofs } = deps
  const waiting = await selectPending(deps.db, MAX_PER_RUN)
  // Without trusted issuers the chain is not needed, and may not be configured.
  const mayProve = ({ credentialId }: AttestationRow) => trustedProofs.length > 0 && isAddress(credentialId)
  const onChain = waiting.filter(mayProve)
  const others = waiting.filter((row) => !mayProve(row))
  const more = waiting.length === MAX_PER_RUN
  const counts = { proven: 0, inReview: 0 }
  await eachOf(others, deps, counts, async ({ id }) => {
    await moveToReview(deps.db, id)
    return 'inReview'
  })
  if (onChain.length === 0) return { ...counts, more }
  const addresses = onChain.map(({ credentialId }) => parseAddress(credentialId))
  const { slot, accounts } = await deps.rpc.accounts(addresses, { maxBytes: MAX_PROOF_BYTES })
  await eachOf(onChain, deps, counts, async (row, i) => {
    const proof = proofOf(row, accounts[i], deps)
    if (proof && (await isDecided(deps, row, { ...proof, slot }))) return 'proven'
    await moveToReview(deps.db, row.id, proof && ALREADY_PROVEN)
    return 'inReview'
  })
  return { ...counts, more }
}

const ALREADY_PROVEN = 'The account already proves another attestation'
const SET_ASIDE = 'It could not be checked automatically'

/**
 * Reviews attestations one after the other. If one fails, it goes to the oracles. If the database does not
 * answer, the attestation stays pending, and the run ends after some of these.
 */
async function eachOf(
  rows: AttestationRow[],
  deps: ReviewDeps,
  counts: Counts,
  review: (row: AttestationRow, index: number) => Promise<keyof Counts>,
): Promise<void> {
  let outage: unknown
  let inARow = 0
  for (const [index, row] of rows.entries()) {
    try {
      counts[await review(row, index)] += 1
      inARow = 0
    } catch (error) {
      logError({ job: 'verifications', attestationId: row.id, reason: reasonOf(error) })
      if (outageReason(error) === undefined) {
        await moveToReview(deps.db, row.id, SET_ASIDE)
        counts.inReview += 1
        continue
      }
      outage ??= error
      inARow += 1
      if (inARow === MAX_OUTAGES) break
    }
  }
  if (outage !== undefined) throw outage
}

/** Records the proof of an attestation. @returns false if the account has proven another one */
async function isDecided(
  { db, now, notify }: ReviewDeps,
  { id, credentialId }: AttestationRow,
  { expiresAt, slot }: { expiresAt: Date | undefined; slot: bigint },
): Promise<boolean> {
  const decision = { id, from: 'pending', status: 'verified', level: 'on_chain_proven', by: credentialId }
  try {
    const proof = { expiresAt, proofSlot: slot }
    const { toNotify } = await postgres.decideAttestation.call(db, { ...decision, ...proof, now })
    notify(toNotify)
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'attestations_one_for_each_proof') return false
    throw error
  }
}
