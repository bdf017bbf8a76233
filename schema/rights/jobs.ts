import { ALL, all, type Rights } from './rights.ts'

/* Rights of background jobs, which run without a request. */

const SECRETS = ['secret', 'previous_secret', 'previous_secret_ends_at'] as const

/** The jobs Worker. Only it reads encrypted secrets and deletes old rows. */
export const jobs = {
  workers: ['jobs'],
  select: {
    ...all('events', 'deliveries', 'delivery_attempts'),
    ...all('webhook_buckets', 'webhook_hosts', 'webhook_targets'),
    ...all('attestations', 'address_quotas', 'spent_nonces', 'pioneer_spots', 'totals'),
    agent_webhook_secrets: ['agent_id', ...SECRETS],
    endpoints: ['id', ...SECRETS],
    grants: ['id', 'ended_at', 'expires_at', 'last_used_at'],
    jobs: ['status', 'judge', 'due_at', 'is_funding'],
    hires: ['status', 'expires_at', 'paid_at', 'term_days', 'outcome'],
    // The catalog of priced routes.
    agent_endpoints: ['url_hash', 'protocol', 'status'],
    agents: ['id', 'pubkey', 'name', 'reputation_score', 'status', 'api_endpoint', 'api_protocol'],
    request_prices: ['agent_id', 'name', 'asset', 'amount', 'ended_at'],
    request_resources: [
      ...['agent_id', 'price_name', 'state', 'url', 'checked_at', 'document', 'fees', 'is_hidden'],
      'changed_at',
    ],
  },
  insert: { stats_days: ALL },
  update: {
    address_quotas: ['ends_at'],
    agent_webhook_secrets: SECRETS,
    attestations: ['status', 'reason', 'expires_at', 'proof_seen_at', 'proof_slot'],
    deliveries: ['status', 'next_attempt_at', 'lease'],
    delivery_attempts: ['attempted_at'],
    endpoints: SECRETS,
    events: ['recorded_at'],
    webhook_buckets: ['full_at'],
    webhook_hosts: ['since'],
    webhook_targets: ['is_healthy'],
  },
  delete: [
    ...['address_quotas', 'deliveries', 'delivery_attempts', 'events', 'grants', 'spent_nonces'],
    ...['webhook_buckets', 'webhook_hosts', 'webhook_targets'],
  ],
  execute: [
    ...['lease_deliveries', 'record_attempts', 'next_deliveries', 'trim_backlogs'],
    ...['decide_attestation', 'revoke_proof'],
    ...['record_due_hires', 'unlist_idle_agents'],
    ...['record_due_jobs', 'delete_ended_jobs'],
    'price_url',
  ],
} as const satisfies Rights

/**
 * The probes of agent endpoints and priced routes. It reads no wallet's rows, since the answers are
 * strangers' text; functions lease and record.
 */
export const probes = {
  workers: ['probes'],
  select: {
    agent_endpoints: ALL,
    agents: ['id', 'api_endpoint', 'api_protocol', 'status', 'listed_until'],
    probed_hosts: ALL,
    request_resources: ['agent_id', 'price_name', 'next_probe_at'],
  },
  insert: { probed_hosts: ALL },
  update: { agent_endpoints: ['host', 'next_probe_at'], probed_hosts: ['next_turn_at'] },
  delete: ['probed_hosts'],
  execute: ['lease_host', 'record_probes', 'lease_resources', 'record_resources', 'price_url'],
} as const satisfies Rights
