import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { DecisionRequest } from '../../../schema/wire/verification.ts'
import { ApiError } from '../../api-error.ts'
import { pageOf } from '../../cursor.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import type { Notify } from '../../events/outbox/notify.ts'
import { type AttestationRow, attestationById } from '../queries.ts'
import { decodeCursor, encodeCursor, selectInReview } from './queue-queries.ts'
import { attestationNotFound } from './verify.ts'

/**
 * Reads one page of the attestations in review, of one wallet or all. Wallets that have paid most come first,
 * then expedited requests, then the oldest.
 * @throws ApiError invalid_request for a cursor that this list did not issue
 */
export async function oracleQueue(
  deps: { db: Db },
  input: { limit: number; cursor?: string | undefined; wallet?: Wallet | undefined },
): Promise<{ attestations: AttestationRow[]; nextCursor?: string }> {
  const after = input.cursor === undefined ? undefined : decodeCursor(input.cursor)
  const read = await selectInReview(deps.db, { after, wallet: input.wallet, limit: input.limit + 1 })
  const { rows: attestations, last, hasMore } = pageOf(read, input.limit)
  if (!hasMore || !last?.priority || !last.requestedAt) return { attestations }
  const { paidWeight, priority, requestedAt, id } = last
  return { attestations, nextCursor: encodeCursor({ paidWeight, priority, requestedAt, id }) }
}

/**
 * Records an oracle's decision, which is final.
 * @throws ApiError attestation_not_found, own_attestation, not_in_review
 */
export async function decideAttestation(
  deps: { db: Db; now: Date; notify: Notify },
  oracle: Wallet,
  { attestationId, decision, reason }: InferOutput<typeof DecisionRequest>,
): Promise<AttestationRow> {
  const [{ outcome, toNotify }, [attestation]] = await postgres.decideAttestation.callThenRead(
    deps.db,
    {
      id: attestationId,
      from: 'in_review',
      status: decision,
      by: oracle,
      reason,
      level: decision === 'verified' ? 'third_party_verified' : undefined,
      now: deps.now,
    },
    attestationById.item({ id: attestationId }),
  )
  if (!attestation || outcome === 'attestation_not_found') throw attestationNotFound()
  switch (outcome) {
    case 'own_attestation':
      throw new ApiError('own_attestation', 'An oracle cannot decide its own attestations.')
    case 'not_in_status':
      throw new ApiError(
        'not_in_review',
        `The attestation is ${attestation.status ?? 'not submitted'}, not in review.`,
      )
    case 'decided':
      deps.notify(toNotify)
      return attestation
  }
}
