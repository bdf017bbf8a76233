import fc from 'fast-check'
import type { Fee, Work } from '../../lib/payments/rules.ts'
import { feeModels, MAX_CHARGED } from '../../schema/values.ts'

/** Amounts of every size that a request can have, also small ones and the largest. */
const amounts = fc.oneof(
  fc.bigInt(0n, 30n),
  fc.bigInt(0n, MAX_CHARGED),
  fc.bigInt(MAX_CHARGED - 3n, MAX_CHARGED),
)

const maybe = fc.option(amounts, { nil: undefined })

export const works: fc.Arbitrary<Work> = fc.record({ units: maybe, capturedValue: maybe, share: maybe })

/** Fees that an agent can have. */
export const fees: fc.Arbitrary<Fee> = fc
  .record({ feeModel: fc.constantFrom(...feeModels), feeAmount: amounts })
  .map(({ feeModel, feeAmount }) => ({
    feeModel,
    feeAmount: feeModel === 'percentage' ? feeAmount % 10_001n : feeAmount,
  }))
