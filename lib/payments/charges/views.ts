import { Charge as ChargeAnswer } from '../../../schema/wire/charges.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { answer } from '../../answer.ts'
import type { Charge } from './charge-queries.ts'

/** Returns the row of a charge, the same for both sides. */
export const chargeRow = (charge: Charge) => ({ ...charge, status: charge.state })

/** Makes the answer for one charge. */
export const chargeView = (charge: Charge): Wire<typeof ChargeAnswer> =>
  answer(ChargeAnswer, chargeRow(charge))
