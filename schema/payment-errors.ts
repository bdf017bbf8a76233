import type { ErrorRow } from './service-errors.ts'
import './words.ts'

/** What the endpoints of payments refuse. Append-only: clients switch on the codes. */
export const paymentErrors = {
  charge_invalid: {
    status: 400,
    title: 'Invalid charge',
    meaning:
      WORDS &&
      'The charge does not fit its hire: fields that its fee model does not have, or lacks; an amount of 0 or above 9007199254740991 lamports; a layer that is not enabled. `errors` names each.',
  },
  charge_not_found: {
    status: 404,
    title: 'Charge not found',
    meaning: WORDS && 'None of the wallet’s agents has a charge of this id.',
  },
  hire_not_active: {
    status: 409,
    title: 'Hire not active',
    meaning: WORDS && 'The hire has expired or was terminated; nothing more can be charged on it.',
  },
  charge_differs: {
    status: 409,
    title: 'Charge differs',
    meaning: WORDS && 'The agent has a charge of this reference, with other details.',
  },
  budget_exhausted: {
    status: 409,
    title: 'Budget exhausted',
    meaning:
      WORDS &&
      'The charge is more than what remains of the budget in this period of the hire; `remaining` says how much that is, in lamports. Nothing was recorded.',
  },
  charge_not_voidable: {
    status: 409,
    title: 'Charge not voidable',
    meaning: WORDS && 'The charge is being collected, was collected, or has lapsed.',
  },
} as const satisfies Record<string, ErrorRow>
