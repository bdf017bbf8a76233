import * as postgres from '../../db/functions.ts'
import { listingAnswer } from '../resources/extension-responses.ts'
import { type Objection, reasonWith, type VerifyAnswer } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'
import { examine } from './examine.ts'
import { recordRefusal } from './record-refusal.ts'

/**
 * Returns whether a payment would be settled now; reserves nothing. It makes two statements.
 * @throws ApiError `dependency_unavailable`
 */
export async function verifyPayment(deps: VerifyDeps, call: FacilitatorCall): Promise<VerifyAnswer> {
  const examined = await examine(deps, call)
  const refuse = (why: Objection) => recordRefusal(deps, call, examined.recent, why)
  if (!examined.ok) return invalid(await refuse(examined))
  const { payer } = examined.payment
  const { outcome } = await postgres.verifyRequestPayment.call(deps.db, examined.question)
  if (outcome === 'valid' || outcome === 'resumable')
    return { isValid: true, payer, listing: listingAnswer(examined.declaration, examined.route) }
  return { ...invalid(await refuse(reasonWith(outcome, examined.funds))), payer }
}

const invalid = ({ reason, message }: { reason: string; message: string }): VerifyAnswer => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message,
})
