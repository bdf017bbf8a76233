import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import type { Wallet } from '../../../schema/wallet.ts'
import type { AttestationRequest } from '../../../schema/wire/reputation.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { ATTESTATIONS_CHECK, attestedTooOften, tooManyAttestations } from '../../quotas/errors.ts'
import { type AttestationRow, attestationJson, attestationOf } from '../queries.ts'
import { dateError, expiryInstant, levelOf } from './credentials.ts'

const DETAILS = ['issuingAuthority', 'issuedDate', 'expiryDate', 'documentUrl'] as const

/**
 * Records a credential that the wallet claims. Returns the stored record for the same credential.
 * @param address the client address, against which a new attestation counts
 * @throws ApiError invalid_credential for impossible dates
 * @throws ApiError credential_differs if it is stored with other details
 * @throws ApiError rate_limited above the attestations of a wallet per day, or of an address per hour
 */
export async function attest(
  deps: { db: Db; now: Date; attestationsPerAddress: number },
  wallet: Wallet,
  input: InferOutput<typeof AttestationRequest>,
  address: string,
): Promise<AttestationRow> {
  const { db, now, attestationsPerAddress } = deps
  const error = dateError(input, now)
  if (error) throw new ApiError('invalid_credential', `${error.path} ${error.message}.`, { errors: [error] })
  const attestation = attestationJson({
    ...input,
    id: uuidv7({ msecs: now.getTime() }),
    wallet,
    verificationLevel: levelOf(input.documentUrl),
    expiresAt: input.expiryDate === undefined ? null : expiryInstant(input.expiryDate),
  })
  const counted = { addressHash: await addressHash('attestations', address), attestationsPerAddress }
  const [{ outcome }, [stored]] = await postgres.recordAttestation
    .callThenRead(db, { attestation, ...counted, now }, attestationOf.item({ wallet, ...input }))
    .catch((error) => {
      throw violatedConstraint(error) === ATTESTATIONS_CHECK ? attestedTooOften(now) : error
    })
  if (outcome === 'too_many_attestations') throw tooManyAttestations(attestationsPerAddress, now)
  if (!stored) throw new Error('the recorded attestation is missing')
  const different = DETAILS.filter((field) => stored[field] !== (input[field] ?? null))
  if (different.length === 0) return stored
  throw new ApiError(
    'credential_differs',
    `You have already recorded this credential with a different ${different.join(', ')}.`,
  )
}
