import type { ErrorRow } from './service-errors.ts'
import './docs.ts'

/** The errors of payments. Append-only: clients switch on the codes. */
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
  budget_not_found: {
    status: 404,
    title: 'Budget account not found',
    meaning: WORDS && 'The hire has no budget account on the chain now, so there is nothing to withdraw.',
  },
  hire_over: {
    status: 409,
    title: 'Hire over',
    meaning:
      WORDS && 'The hire ended so long ago that its charges have lapsed: nothing is paid for it any more.',
  },
  collector_exists: {
    status: 409,
    title: 'Collector exists',
    meaning:
      WORDS && 'The wallet’s payout account (the collector) is open already, with the service’s newest key.',
  },
  collector_foreign: {
    status: 409,
    title: 'Collector foreign',
    meaning:
      WORDS &&
      'Another account is at the address of the owner’s payout account (the collector), such as a multisig with other signers. Nobody may approve it.',
  },
  collector_missing: {
    status: 409,
    title: 'Collector missing',
    meaning:
      WORDS &&
      'The agent’s owner has not set up payouts yet. POST /payments/collectors builds the payout account (the collector), once for all agents.',
  },
  funds_short: {
    status: 409,
    title: 'Funds short',
    meaning: WORDS && 'The wallet’s token account does not hold the amount.',
  },
  budget_frozen: {
    status: 409,
    title: 'Budget account frozen',
    meaning: WORDS && 'The mint’s freeze authority has frozen the budget account; nothing can leave it.',
  },
  budget_changed: {
    status: 409,
    title: 'Budget account changed',
    meaning: WORDS && 'Another request has changed the hire’s budget account at the same time. Ask again.',
  },
  payout_account_unusable: {
    status: 409,
    title: 'Payout account unusable',
    meaning:
      WORDS &&
      'The wallet’s associated token account was given to somebody else, or is frozen: nothing can be paid into it.',
  },
  nothing_to_collect: {
    status: 409,
    title: 'Nothing to collect',
    meaning:
      WORDS &&
      'No charge is due, or no budget account with charges due holds and allows enough. The detail says which.',
  },
  charges_changed: {
    status: 409,
    title: 'Charges changed',
    meaning: WORDS && 'A charge was voided or taken into another collection at the same time. Ask again.',
  },
  price_not_found: {
    status: 404,
    title: 'Price not found',
    meaning: WORDS && 'Requests to the agent have no price, or none of this name; or no agent has this id.',
  },
  facilitator_key_unknown: {
    status: 404,
    title: 'Facilitator key unknown',
    meaning:
      WORDS &&
      'The service has made no such key: the facilitator’s URL is misspelt, or its key was made before the service’s secret was replaced. POST /x402/agents/{id}/key makes one.',
  },
  treasury_unavailable: {
    status: 503,
    title: 'Treasury unavailable',
    meaning:
      WORDS &&
      'The token account that takes the protocol fee can not receive it; the operator must mend that.',
  },
} as const satisfies Record<string, ErrorRow>
