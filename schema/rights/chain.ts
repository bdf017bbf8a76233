import { all, type Rights } from './rights.ts'

/* Rights of the vault and payments: transactions to sign, and their outcomes on the chain. */

/** The tables of transactions to sign or sent to the chain. */
const INTENTS = {
  ...all(
    'payment_intents',
    'payment_intent_legs',
    'payment_intent_jobs',
    'positions',
    'vault_intents',
    'vault_intent_legs',
    'vaults',
  ),
  vault_generations: ['generation', 'paused_at', 'published_at'],
} as const

/** The functions that record a transaction's outcome, called by requests and by jobs. */
const SETTLE = [
  ...['expire_vault_intent', 'fail_vault_intent', 'land_vault_intent', 'record_observations'],
  ...['record_found_budgets', 'settle_payments'],
] as const

/** The rights of the Workers that have keys of the chain: vault and payments. */
export const money = {
  workers: ['vault', 'payments'],
  select: {
    ...INTENTS,
    ...all('budget_accounts', 'charges', 'hires', 'payment_months'),
    agents: ['id', 'name', 'pubkey', 'status'],
    credits: ['owner', 'balance', 'low_below'],
    jobs: [
      ...['id', 'owner', 'hirer', 'price', 'fee_bps', 'terms_hash', 'status', 'key_version'],
      ...['agent_amount', 'hirer_amount', 'escrow', 'paid_at', 'refunded_at', 'escrow_closed_at'],
    ],
  },
  update: {
    budget_accounts: ['looked_at'],
    hires: ['budget_number'],
    jobs: ['escrow_closed_at'],
    payment_intents: ['asked_at', 'due_at', 'searched_to'],
    vault_intents: ['due_at', 'search_after', 'searched_to'],
    vaults: ['settled_at'],
  },
  execute: [
    ...SETTLE,
    ...['assert_session', 'lock_owners', 'record_stack', 'record_claim', 'record_withdrawal'],
    ...['cosign_vault_intent', 'take_due_stacks', 'record_charge', 'void_charge', 'record_collection'],
    ...['record_payment_intent', 'record_job_intent', 'settle_job', 'cosign_payment', 'hire_now'],
  ],
} as const satisfies Rights

/** Payments for requests. Functions decide prices and amounts. */
export const x402 = {
  workers: ['x402'],
  select: {
    agents: ['id', 'name', 'pubkey', 'status', 'api_endpoint'],
    credits: ['owner', 'balance'],
    facilitator_keys: ['agent_id', 'generation'],
    request_prices: ['agent_id', 'name', 'asset', 'amount', 'ended_at'],
    request_payments: [
      ...['id', 'agent_id', 'owner', 'payer', 'amount', 'asset', 'status', 'network_signature', 'debit'],
      ...['created_at', 'resolved_at', 'price_name'],
    ],
    request_refusals: ['agent_id', 'reason', 'first_at', 'last_at'],
    request_resources: [
      ...['agent_id', 'price_name', 'state', 'code', 'checked_at', 'paid_at', 'next_probe_at', 'is_hidden'],
    ],
  },
  execute: [
    ...['assert_session', 'make_facilitator_key', 'set_request_prices', 'verify_request_payment'],
    ...['settle_request_payment', 'answer_request_payment', 'record_request_refusal'],
    ...['hide_resource', 'request_resource_probe', 'price_url', 'request_needs'],
  ],
} as const satisfies Rights

/** The jobs that look up transactions' outcomes on the chain. */
export const settlement = {
  workers: ['settlement'],
  select: {
    ...INTENTS,
    vault_yield_days: ['day', 'stacked_at'],
    jobs: [
      ...['id', 'hirer', 'price', 'key_version', 'funded_at', 'agent_amount', 'hirer_amount', 'escrow'],
      ...['paid_at', 'refunded_at', 'escrow_closed_at'],
    ],
  },
  update: {
    payment_intents: ['asked_at', 'due_at', 'searched_to'],
    vault_intents: ['due_at', 'looked_at', 'search_after', 'searched_to'],
    vaults: ['settled_at'],
  },
  execute: [
    ...SETTLE,
    ...['next_settlement', 'settle_suspected_payout', 'take_undiscovered_budgets', 'delete_unpaid_charges'],
    ...['expire_unsigned_payments', 'delete_ended_payments', 'record_taken_escrow'],
    ...['expire_unsigned_vault_intents', 'delete_ended_vault_intents'],
    ...['take_due_request_payments', 'record_request_outcomes', 'delete_old_request_rows'],
  ],
} as const satisfies Rights
