import * as postgres from '../../db/functions.ts'
import { listingAnswer } from '../resources/extension-responses.ts'
import { type Rejection, reasonWith, type VerifyAnswer } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'
import { preVerify } from './pre-verify.ts'
import { recordRefusal } from './record-refusal.ts'

/**
 * Returns whether a payment would be settled now; reserves nothing. It makes two statements.
 * @throws ApiError `dependency_unavailable`
 */
export async function verifyPayment(deps: VerifyDeps, call: FacilitatorCall): Promise<VerifyAnswer> {
  const preVerified = await preVerify(deps, call)
  const recordRejection = (why: Rejection) => recordRefusal(deps, call, preVerified.recentReasons, why)
  if (!preVerified.ok) return invalid(await recordRejection(preVerified))
  const { payer } = preVerified.payment
  const { outcome } = await postgres.verifyRequestPayment.call(deps.db, preVerified.ledgerArguments)
  if (outcome === 'valid' || outcome === 'resumable')
    return { isValid: true, payer, listing: listingAnswer(preVerified.declaration, preVerified.route) }
  return { ...invalid(await recordRejection(reasonWith(outcome, preVerified.funds))), payer }
}

const invalid = ({ reason, message }: { reason: string; message: string }): VerifyAnswer => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message,
})
