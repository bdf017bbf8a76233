import * as v from 'valibot'
import { HIRE_ID } from '../../examples.ts'
import { chargeRoles } from '../../values.ts'
import { body, pageFields, parameters } from '../body.ts'
import { AmountFrom, Uuid } from '../common.ts'

/** Body of POST /payments/budgets. */
export const FundRequest = body(
  'FundRequest',
  'The amount to put into a hire’s budget account.',
  { hireId: [Uuid, 'A hire of yours.'], amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'] },
  { hireId: HIRE_ID, amount: 5_000_000_000 },
)

/** Body of POST /payments/budgets/withdraw. */
export const WithdrawRequest = body(
  'WithdrawRequest',
  'The budget account to empty.',
  {
    hireId: [Uuid, 'A hire of yours.'],
    leaveOpen: [
      v.optional(v.boolean(), false),
      '`true` leaves the account open. Closing fails if somebody sends tokens to it meanwhile: then withdraw with `true`, and withdraw again to close it.',
    ],
  },
  { hireId: HIRE_ID },
)

/** Body of POST /payments/credit. */
export const CreditRequest = body(
  'CreditRequest',
  'How much credit to buy.',
  { amount: [AmountFrom(1), 'Base units of CRED (10^-9), at least 1.'] },
  { amount: 10_000_000_000 },
)

/** Body of POST /payments/collect; without hireId for all hires of all the wallet's agents. */
export const CollectRequest = body(
  'CollectRequest',
  'What to collect.',
  {
    hireId: [
      v.optional(Uuid),
      'A hire of one of your agents. When absent, the hires with the oldest charges.',
    ],
  },
  { hireId: HIRE_ID },
)

/** Body of POST /payments/collectors; optional. */
export const CollectorRequest = body(
  'CollectorRequest',
  'No fields: a wallet has one payout account (collector).',
  {},
  {},
)

/** Query of GET /payments/budgets. */
export const BudgetListQuery = parameters(
  {
    role: [
      v.optional(v.picklist(chargeRoles), 'hirer'),
      'Your side: `hirer` (when absent), or `owner` of the agents.',
    ],
    hireId: [v.optional(Uuid), 'Only the account of this hire.'],
    ...pageFields,
  },
  { hireId: HIRE_ID, limit: '50' },
)
