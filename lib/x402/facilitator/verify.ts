import * as postgres from '../../db/functions.ts'
import { reasonWith, type VerifyAnswer } from './answers.ts'
import type { FacilitatorCall, VerifyDeps } from './deps.ts'
import { examine } from './examine.ts'

/**
 * Returns whether a payment would be settled now; reserves nothing.
 * @throws ApiError `dependency_unavailable`
 */
export async function verifyPayment(deps: VerifyDeps, call: FacilitatorCall): Promise<VerifyAnswer> {
  const examined = await examine(deps, call)
  if (!examined.ok) return invalid(examined)
  const { payer } = examined.payment
  const { outcome } = await postgres.verifyRequestPayment.call(deps.db, examined.question)
  if (outcome === 'valid' || outcome === 'resumable') return { isValid: true, payer }
  return { ...invalid(reasonWith(outcome, examined.funds)), payer }
}

const invalid = ({ reason, message }: { reason: string; message: string }): VerifyAnswer => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message,
})
