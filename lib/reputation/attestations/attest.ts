import { v7 as uuidv7 } from 'uuid'
import type { InferOutput } from 'valibot'
import { ATTESTATIONS_PER_DAY } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { AttestationRequest } from '../../../schema/wire/reputation.ts'
import type { Db } from '../../db/connect.ts'
import { violatedConstraint } from '../../db/failures.ts'
import { ATTESTATIONS_CHECK } from '../../quotas/queries.ts'
import { usedUp } from '../../quotas/refusals.ts'
import { Refusal } from '../../refusal.ts'
import { type AttestationRow, insertAttestation } from '../queries.ts'
import { dateFault, expiryInstant, levelOf } from './credentials.ts'

const DETAILS = ['issuingAuthority', 'issuedDate', 'expiryDate', 'documentUrl'] as const

/**
 * Records a credential that the wallet says it has. The same credential again gives the stored record.
 * @throws Refusal invalid_credential for impossible dates, credential_differs when it is stored with other
 *   details, rate_limited above a day's number
 */
export async function attest(
  deps: { db: Db; now: Date },
  wallet: Wallet,
  input: InferOutput<typeof AttestationRequest>,
): Promise<AttestationRow> {
  const fault = dateFault(input, deps.now)
  if (fault) throw new Refusal('invalid_credential', `${fault.path} ${fault.message}.`, { errors: [fault] })
  const stored = await insertAttestation(deps.db, {
    ...input,
    id: uuidv7({ msecs: deps.now.getTime() }),
    wallet,
    verificationLevel: levelOf(input.documentUrl),
    createdAt: deps.now,
    expiresAt: input.expiryDate === undefined ? null : expiryInstant(input.expiryDate),
  }).catch((error) => {
    throw violatedConstraint(error) === ATTESTATIONS_CHECK ? usedUpToday(deps.now) : error
  })
  const different = DETAILS.filter((field) => stored[field] !== (input[field] ?? null))
  if (different.length === 0) return stored
  throw new Refusal(
    'credential_differs',
    `You have already recorded this credential with another ${different.join(', ')}.`,
  )
}

const usedUpToday = (now: Date) =>
  usedUp('new attestations', { policy: 'attestations', limit: ATTESTATIONS_PER_DAY, per: 'day', now })
