import type { ErrorRow } from './service-errors.ts'

/** The errors of payments. Append-only: clients switch on the codes. */
export const paymentErrors = {
  charge_invalid: {
    status: 400,
    title: 'Invalid charge',
    meaning:
      'The charge does not match its hire: a field is missing or not part of its fee model, the amount is 0 or above 9007199254740991 lamports, or the layer is not enabled. `errors` names each field.',
  },
  charge_not_found: {
    status: 404,
    meaning: 'None of the wallet’s agents has a charge with this id.',
  },
  hire_not_active: {
    status: 409,
    meaning: 'The hire has expired or was terminated; nothing more can be charged on it.',
  },
  charge_differs: {
    status: 409,
    meaning: 'The agent already has a charge with this reference and different details.',
  },
  budget_exhausted: {
    status: 409,
    meaning:
      'The charge exceeds what remains of the budget in this period of the hire (`remaining`, in lamports). Nothing was recorded.',
  },
  charge_not_voidable: {
    status: 409,
    meaning: 'The charge is being collected, was collected, or has lapsed.',
  },
  budget_not_found: {
    status: 404,
    title: 'Budget account not found',
    meaning: 'The hire has no budget account on the chain now, so there is nothing to withdraw.',
  },
  hire_over: {
    status: 409,
    meaning: 'The hire ended so long ago that its charges have lapsed: nothing is paid for it any more.',
  },
  collector_exists: {
    status: 409,
    meaning: 'The wallet’s payout account (the collector) is already open, with the service’s newest key.',
  },
  collector_foreign: {
    status: 409,
    title: 'Collector occupied',
    meaning:
      'The address of the owner’s payout account (the collector) holds another account, such as a multisig with other signers. Do not approve it: its signers could collect alone.',
  },
  collector_missing: {
    status: 409,
    meaning:
      'The agent’s owner has not set up payouts yet. POST /payments/collectors builds the payout account (the collector), once for all agents.',
  },
  funds_short: {
    status: 409,
    title: 'Funds too low',
    meaning: 'The wallet’s token account does not hold the amount.',
  },
  budget_frozen: {
    status: 409,
    title: 'Budget account frozen',
    meaning: 'The mint’s freeze authority has frozen the budget account; nothing can leave it.',
  },
  budget_changed: {
    status: 409,
    title: 'Budget account changed',
    meaning: 'Another request changed the hire’s budget account at the same time. Repeat the request.',
  },
  payout_account_unusable: {
    status: 409,
    meaning:
      'The wallet’s associated token account belongs to somebody else or is frozen, so it cannot be paid.',
  },
  nothing_to_collect: {
    status: 409,
    meaning:
      'No charge is due, or no budget account has the balance and allowance to pay a due charge. The detail says which.',
  },
  charges_changed: {
    status: 409,
    meaning: 'Another request voided or collected one of the charges at the same time. Repeat the request.',
  },
  job_not_found: {
    status: 404,
    meaning: 'No job has this id, or the wallet has no part in it.',
  },
  job_differs: {
    status: 409,
    meaning: 'The wallet has ordered a job with this reference and other details.',
  },
  own_agent: {
    status: 403,
    meaning: 'A wallet can’t order jobs of its own agents.',
  },
  not_accepting_jobs: {
    status: 409,
    meaning:
      'The agent takes no jobs, is not active, or has too many orders waiting. `jobTerms` of GET /agents/{id} says whether it takes jobs.',
  },
  judge_not_listed: {
    status: 409,
    meaning: 'The judge is not among the `judges` of the agent’s terms, or is a side of the job.',
  },
  terms_not_met: {
    status: 409,
    meaning: 'The price is below the least that the agent or the service allows, or the time is too short.',
  },
  terms_differ: {
    status: 409,
    meaning: 'The termsHash is not the job’s. Read the job again, then accept what it says.',
  },
  foreign_job: {
    status: 403,
    meaning:
      'Another program, or the wallet itself, ordered or accepted this job. Only that one, or the wallet, decides about it.',
  },
  job_changed: {
    status: 409,
    meaning: 'Another act came first, so the job’s state does not allow this one. Read the job again.',
  },
  deadline_passed: {
    status: 409,
    meaning: 'The job’s deadline for this act has passed.',
  },
  funding_open: {
    status: 409,
    meaning:
      'A funding of the job is signed, and its outcome is not known yet. Until then the job can’t be ended or funded again.',
  },
  input_missing: {
    status: 400,
    meaning: 'The job was ordered with the hash of an input, and the input is missing.',
  },
  input_differs: {
    status: 400,
    meaning: 'The input’s SHA-256 hash is not the `inputHash` that the job was ordered with.',
  },
  key_leaked: {
    status: 409,
    meaning: 'The service’s key of this job has leaked, so nothing is funded under it. Order the job again.',
  },
  escrow_taken: {
    status: 409,
    meaning: 'An escrow under the service’s key of this job holds too little, so nothing is funded under it.',
  },
  refund_account_exists: {
    status: 409,
    meaning: 'The wallet’s refund account is already open under this key version.',
  },
  refund_account_foreign: {
    status: 409,
    title: 'Refund account occupied',
    meaning:
      'The wallet has created another account at the address of its refund account. Nothing is paid into it.',
  },
  refund_account_missing: {
    status: 409,
    meaning:
      'The wallet’s refund account is not open under the job’s key version. POST /payments/jobs/refund-account builds it.',
  },
  nothing_due: {
    status: 409,
    meaning: 'The escrow of the job owes the wallet nothing now.',
  },
  payment_open: {
    status: 409,
    meaning:
      'A payment of the job to this side is signed, and its outcome is not known yet. Another one is signed only after it has expired.',
  },
  escrow_short: {
    status: 409,
    meaning: 'The escrow of the job holds less than it owes, or is frozen, so nothing can be paid from it.',
  },
  jobs_off: {
    status: 409,
    title: 'No new jobs',
    meaning: 'The operator takes no new jobs, acceptances and fundings. Jobs that are funded go on.',
  },
  price_not_found: {
    status: 404,
    meaning: 'No agent has this id, its requests have no price, or no price has this name.',
  },
  route_not_checkable: {
    status: 409,
    meaning:
      'The route of the price can’t be checked now: its agent is not active, you hide it, its name is not a method and a path, the agent has no public endpoint, or nobody has paid for it and you have never bought credit. The detail says which.',
  },
  facilitator_key_unknown: {
    status: 404,
    meaning:
      'The key in the facilitator’s URL is unknown: the URL is mistyped, or the service’s secret was replaced since. Make a new key with POST /x402/agents/{id}/key.',
  },
  treasury_unavailable: {
    status: 503,
    meaning: 'The treasury’s token account cannot receive the protocol fee. The operator must fix this.',
  },
} as const satisfies Record<string, ErrorRow>
