import { describe, expect, it } from 'vitest'
import { amountOf, type ChargeDraft, chargeRequest } from '../../../lib/console/views/hires/charge-draft.ts'
import { amountOf as serviceAmountOf, workErrors } from '../../../lib/payments/rules.ts'

const empty: ChargeDraft = {
  reference: ' job-1 ',
  description: '',
  result: '',
  units: undefined,
  capturedValue: undefined,
  share: undefined,
}
const full: ChargeDraft = { ...empty, units: 3n, capturedValue: 10_000_000_001n, share: 7n }
const models = ['flat', 'percentage', 'hybrid'] as const

describe('a charge', () => {
  it.each(models)('of a %s fee comes to what the service makes of its request', (feeModel) => {
    const hire = { id: 'hire', feeModel, feeAmount: 333 }
    const fee = { feeModel, feeAmount: 333n }
    const request = chargeRequest(hire, full)
    expect(workErrors(fee, request)).toEqual([])
    expect(amountOf(hire, full)).toBe(serviceAmountOf(fee, request))
  })

  it.each(models)('of a %s fee comes to nothing yet while it is empty', (feeModel) => {
    expect(amountOf({ feeModel, feeAmount: 333 }, empty)).toBeUndefined()
  })

  it('sends what the fee asks for, and no more', () => {
    const hire = { id: 'hire', feeAmount: 333 }
    expect(chargeRequest({ ...hire, feeModel: 'flat' }, full)).toEqual({
      hireId: 'hire',
      reference: 'job-1',
      units: 3n,
    })
    const worded = { ...full, description: ' For you ', result: ' Swapped.\n' }
    expect(chargeRequest({ ...hire, feeModel: 'percentage' }, worded)).toEqual({
      hireId: 'hire',
      reference: 'job-1',
      capturedValue: 10_000_000_001n,
      description: 'For you',
      result: 'Swapped.',
    })
    expect(chargeRequest({ ...hire, feeModel: 'hybrid' }, { ...full, share: undefined })).toEqual({
      hireId: 'hire',
      reference: 'job-1',
      units: 3n,
    })
  })
})
