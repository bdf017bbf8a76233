import { ALL, all, ENDPOINT, type Rights } from './rights.ts'

/* Rights for public reads, and for wallets' actions that move no money. */

/** The tables for finding agents. */
const LISTS = all('agent_listings', 'documents', 'document_words', 'registry_listings')

/** An agent's columns, except its webhook’s address and the sums about owner and payers. */
const PUBLIC_AGENT = [
  ...['id', 'pubkey', 'name', 'description', 'agent_type', 'supported_layers', 'fee_model', 'fee_amount'],
  ...['api_endpoint', 'api_protocol', 'logo_url', 'reputation_score', 'ratings', 'rated_weight'],
  ...['rating_sum', 'total_hires', 'status', 'status_reason', 'registered_at'],
  ...['request_prices', 'lowest_request_price'],
] as const

/** A registry entry's columns, except its contact address and signature. */
const PUBLIC_ENTRY = [
  ...['pubkey', 'name', 'agent_type', 'capabilities', 'layers', 'fee_model', 'fee_amount', 'description'],
  ...['website', 'logo_url', 'api_endpoint', 'api_protocol', 'developer_pubkey', 'service_manifest'],
  ...['timestamp', 'revision', 'registered_at', 'updated_at', 'status', 'status_reason'],
] as const

/** Public reads. */
export const read = {
  workers: ['marketplace', 'protocols'],
  select: {
    ...LISTS,
    ...all('agent_endpoints', 'pioneer_spots', 'stats_days', 'totals'),
    agents: PUBLIC_AGENT,
    registry_agents: PUBLIC_ENTRY,
  },
  execute: ['public.layer_names', 'public.text_words', 'public.word_bloom'],
} as const satisfies Rights

/** Sessions and grants. */
export const auth = {
  workers: ['auth'],
  select: {
    grants: [
      ...['id', 'wallet', 'kind', 'name', 'host', 'public_key', 'permissions', 'spend_limit', 'committed'],
      ...['created_at', 'last_used_at', 'expires_at', 'ended_at'],
    ],
  },
  execute: [
    ...['assert_session', 'record_login', 'revoke_sessions'],
    ...['record_consent', 'redeem_code', 'refresh_grant', 'use_key', 'end_grant'],
  ],
} as const satisfies Rights

/** Wallets' actions that move no money. */
export const decide = {
  workers: ['agents', 'registry', 'reputation', 'pioneer', 'events'],
  select: {
    ...LISTS,
    ...all(
      'agents',
      'registry_agents',
      'agent_endpoints',
      'hires',
      'hire_periods',
      'hire_payments',
      'owner_layers',
    ),
    ...all('attestations', 'standings', 'ratings', 'pioneers', 'referral_bounties', 'agent_request_days'),
    payers: ['kind', 'payee', 'payer', 'requests_paid'],
    ...all('events', 'deliveries', 'delivery_attempts', 'address_quotas'),
    charges: ['id', 'agent_id', 'status'],
    ...all('job_terms'),
    endpoints: ENDPOINT,
    wallet_quotas: ['wallet', 'endpoints'],
    wallets: ['address', 'first_login_at'],
    webhook_targets: [
      'wallet',
      'url_hash',
      'answered_at',
      'failing_since',
      'last_attempt_at',
      'proven_at',
      'unconfirmed_reason',
      'held_until',
    ],
  },
  insert: {
    address_quotas: ALL,
    deliveries: ['endpoint_id', 'event_id', 'wallet', 'created_at', 'next_attempt_at'],
    registry_agents: ALL,
  },
  update: {
    address_quotas: ['ends_at', 'used'],
    deliveries: ['status', 'created_at', 'attempts', 'next_attempt_at', 'lease'],
    registry_agents: ALL,
    wallet_quotas: ['endpoints'],
  },
  delete: ['endpoints'],
  execute: [
    ...[
      'assert_session',
      'hire_agent',
      'hire_now',
      'period_start',
      'request_needs',
      'end_hire',
      'register_agent',
      'change_agent',
      'give_rating',
    ],
    ...['answer_rating', 'set_job_terms', 'record_attestation', 'request_verification', 'decide_attestation'],
    ...['redeem_invite', 'create_webhook_endpoint', 'change_webhook_endpoint', 'rotate_webhook_secret'],
    ...['confirm_webhook_endpoint', 'test_webhook_endpoint', 'public.has_payout_account'],
    ...['public.listed_name', 'public.text_words', 'public.word_bloom'],
  ],
} as const satisfies Rights

/** Jobs. Only this group reads their texts. */
export const work = {
  workers: ['work'],
  select: {
    ...all('jobs', 'job_texts'),
    agents: ['id', 'name', 'pubkey'],
    payment_intent_jobs: ['intent_id', 'job_id', 'address', 'stray_at', 'returned_at'],
  },
  execute: [
    ...['assert_session', 'post_job', 'accept_job', 'end_job', 'deliver_job', 'object_job', 'decide_job'],
    ...['propose_split', 'settle_job'],
  ],
} as const satisfies Rights

/** Sockets on a wallet's log. It reads events, and only writes how long a wallet listens. */
export const live = {
  workers: ['live'],
  select: {
    events: ['id', 'xid', 'seq', 'type', 'occurred_at', 'wallet', 'counterparty', 'data'],
    agents: ['id', 'name'],
    wallets: ['address', 'listens_until'],
  },
  update: { wallets: ['listens_until'] },
  execute: ['assert_session'],
} as const satisfies Rights
