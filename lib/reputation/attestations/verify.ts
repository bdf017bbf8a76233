import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { VerificationRequest } from '../../../schema/wire/verification.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { type AttestationRow, attestationById, findAttestation } from '../queries.ts'
import { MAX_OPEN_EXPEDITED } from '../rules.ts'

/**
 * Enqueues an attestation for verification. Returns one that is queued or verified as it is; a rejected one
 * may be submitted again. Expedited requests above the limit of the wallet or of the client address become
 * normal.
 * @param deps.requestReview wakes the jobs Worker; if the message is lost, a later job run finds the request
 * @throws ApiError attestation_not_found, attestation_not_yours
 */
export async function submitForVerification(
  deps: { db: Db; now: Date; requestReview: () => void; expeditedPerAddress: number },
  wallet: Wallet,
  input: InferOutput<typeof VerificationRequest>,
  address: string,
): Promise<AttestationRow> {
  const { attestation_id: id, priority } = input
  const request = {
    ...{ id, wallet, priority, expeditedPlaces: MAX_OPEN_EXPEDITED, now: deps.now },
    addressHash: await addressHash('expedited requests', address),
    expeditedPerAddress: deps.expeditedPerAddress,
  }
  const read = attestationById.item({ id })
  const [{ outcome }, [attestation]] = await postgres.requestVerification.callThenRead(deps.db, request, read)
  if (!attestation || outcome === 'attestation_not_found') throw attestationNotFound()
  if (outcome === 'attestation_not_yours') {
    throw new ApiError('attestation_not_yours', 'Only the wallet that made an attestation can submit it.')
  }
  if (outcome === 'requested') deps.requestReview()
  return attestation
}

/**
 * Finds an attestation, for its verification status.
 * @throws ApiError attestation_not_found
 */
export async function verificationOf(deps: { db: Db }, id: string): Promise<AttestationRow> {
  const row = await findAttestation(deps.db, id)
  if (!row) throw attestationNotFound()
  return row
}

export const attestationNotFound = () => new ApiError('attestation_not_found', 'No attestation has this id.')
