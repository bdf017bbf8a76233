import type { ChargeRequest, HirerHire } from '../../../client/generated/types.ts'

/** An owner's input for a charge. Amounts are in base units; undefined if the text is not a valid amount. */
export type ChargeDraft = {
  reference: string
  description: string
  result: string
  units: bigint | undefined
  capturedValue: bigint | undefined
  share: bigint | undefined
}

type Fee = Pick<HirerHire, 'feeModel' | 'feeAmount'>

/** Returns the charge's amount by the hire's fee, in base units; undefined while a value is missing. */
export function amountOf({ feeModel, feeAmount }: Fee, draft: ChargeDraft): bigint | undefined {
  const { units, capturedValue, share = 0n } = draft
  const fee = BigInt(feeAmount)
  if (feeModel === 'percentage')
    return capturedValue === undefined ? undefined : (capturedValue * fee) / 10_000n
  if (units === undefined) return undefined
  return units * fee + (feeModel === 'hybrid' ? share : 0n)
}

/** Returns the body of POST /payments/charges, with only the counts that the fee needs. */
export function chargeRequest(hire: Fee & { id: string }, draft: ChargeDraft): ChargeRequest {
  const { units, capturedValue, share } = draft
  const description = draft.description.trim()
  const result = draft.result.trim()
  const hasUnits = hire.feeModel !== 'percentage' && units !== undefined
  const hasShare = hire.feeModel === 'hybrid' && share !== undefined
  const hasCaptured = hire.feeModel === 'percentage' || hasShare
  return {
    hireId: hire.id,
    reference: draft.reference.trim(),
    ...(hasUnits && { units }),
    ...(hasCaptured && capturedValue !== undefined && { capturedValue }),
    ...(hasShare && { share }),
    ...(description && { description }),
    ...(result && { result }),
  }
}
