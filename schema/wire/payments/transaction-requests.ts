import * as v from 'valibot'
import { describe, describeParameters } from '../../docs.ts'
import { HIRE_ID } from '../../examples.ts'
import { chargeRoles } from '../../values.ts'
import { AmountFrom, Cursor, PageLimit, Uuid } from '../common.ts'

/** Body of POST /payments/budgets. */
export const FundRequest = v.strictObject({
  hireId: Uuid,
  amount: AmountFrom(1),
})

describe(FundRequest, {
  name: 'FundRequest',
  description: 'The amount to put into a hire’s budget account.',
  fields: { hireId: 'A hire of yours.', amount: 'Base units of CRED (10^-9), at least 1.' },
  example: { hireId: HIRE_ID, amount: 5_000_000_000 },
})

/** Body of POST /payments/budgets/withdraw. */
export const WithdrawRequest = v.strictObject({ hireId: Uuid, leaveOpen: v.optional(v.boolean(), false) })

describe(WithdrawRequest, {
  name: 'WithdrawRequest',
  description: 'The budget account to empty.',
  fields: {
    hireId: 'A hire of yours.',
    leaveOpen:
      '`true` leaves the account open. Closing fails if somebody sends tokens to it meanwhile: then withdraw with `true`, and withdraw again to close it.',
  },
  example: { hireId: HIRE_ID },
})

/** Body of POST /payments/credit. */
export const CreditRequest = v.strictObject({ amount: AmountFrom(1) })

describe(CreditRequest, {
  name: 'CreditRequest',
  description: 'How much credit to buy.',
  fields: { amount: 'Base units of CRED (10^-9), at least 1.' },
  example: { amount: 10_000_000_000 },
})

/** Body of POST /payments/collect; without hireId for all hires of all the wallet's agents. */
export const CollectRequest = v.strictObject({ hireId: v.optional(Uuid) })

describe(CollectRequest, {
  name: 'CollectRequest',
  description: 'What to collect.',
  fields: { hireId: 'A hire of one of your agents. When absent, the hires with the oldest charges.' },
  example: { hireId: HIRE_ID },
})

/** Body of POST /payments/collectors; optional. */
export const CollectorRequest = v.strictObject({})

describe(CollectorRequest, {
  name: 'CollectorRequest',
  description: 'No fields: a wallet has one payout account (collector).',
  fields: {},
  example: {},
})

/** Query of GET /payments/budgets. */
export const BudgetListQuery = v.object({
  role: v.optional(v.picklist(chargeRoles), 'hirer'),
  hireId: v.optional(Uuid),
  limit: PageLimit,
  cursor: v.optional(Cursor),
})

describeParameters(
  BudgetListQuery,
  {
    role: 'Your side: `hirer` (when absent), or `owner` of the agents.',
    hireId: 'Only the account of this hire.',
    limit: 'Page size; values above 100 count as 100.',
    cursor: 'The `nextCursor` of the previous page.',
  },
  { hireId: HIRE_ID, limit: '50' },
)
