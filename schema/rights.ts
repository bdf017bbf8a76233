/**
 * Who may do what in Postgres. A group of rights is a role that cannot log in, `agentcred_<group>`, with two
 * logins, `agentcred_<group>_a` and `_b`, so that a password is changed without an outage. Workers log in by
 * their group's. What must happen once is a function, which runs as the owner: a Worker that may hire needs
 * no right to write hires. Nobody else has a right, PUBLIC included. What makes the SQL:
 * lib/local/neon/rights.ts.
 *
 * A right that Workers need no more is taken out one release after them: the ones before still need it.
 */
type Rights = {
  /** The Workers that log in by it, as wrangler.toml names their environments. */
  workers: readonly string[]
  /** Tables, each with the columns that may be read; ALL of them, later ones included. */
  select: Readonly<Record<string, Columns>>
  /** `for update` needs this right, too, for one column. */
  update?: Readonly<Record<string, Columns>>
  insert?: Readonly<Record<string, Columns>>
  delete?: readonly string[]
  /** Functions of the release's schema, or `public.<name>`. */
  execute?: readonly string[]
}

export type Columns = readonly string[] | typeof ALL
export const ALL = 'all'
const all = (...tables: string[]): Record<string, typeof ALL> =>
  Object.fromEntries(tables.map((table) => [table, ALL]))

/** What agents are found by. */
const LISTS = all('agent_listings', 'documents', 'document_words', 'registry_listings', 'registry_agents')

/** Of a webhook endpoint, without its sealed secrets. */
const ENDPOINT = [
  ...['id', 'wallet', 'url', 'description', 'event_types', 'agent_ids', 'created_at'],
  ...['disabled_at', 'disabled_reason'],
] as const

const SECRETS = ['secret', 'previous_secret', 'previous_secret_ends_at'] as const

/** The state of what is to be signed or was sent to the chain. */
const INTENTS = {
  ...all(
    'payment_intents',
    'payment_intent_legs',
    'positions',
    'vault_intents',
    'vault_intent_legs',
    'vaults',
  ),
  vault_generations: ['generation', 'paused_at', 'published_at'],
} as const

/** What became of an intent: recorded by requests, and by the rounds for those that nobody asks after. */
const SETTLE = [
  ...['expire_vault_intent', 'fail_vault_intent', 'land_vault_intent', 'record_observations'],
  ...['record_found_budgets', 'settle_payments'],
] as const

const RIGHTS = {
  /** What anybody may read. */
  read: {
    workers: ['marketplace', 'protocols'],
    select: {
      ...LISTS,
      ...all('agents', 'agent_endpoints', 'pioneer_spots', 'stats_days', 'totals'),
    },
    execute: ['public.layer_names', 'public.word_bloom'],
  },
  /** Sessions. */
  auth: {
    workers: ['auth'],
    select: { wallets: ['address', 'session_generation'] },
    insert: { wallets: ALL },
    update: { wallets: ['session_generation'] },
    execute: ['assert_session', 'record_login'],
  },
  /** What wallets do that moves no money. */
  decide: {
    workers: ['agents', 'registry', 'reputation', 'pioneer', 'events'],
    select: {
      ...LISTS,
      ...all('agents', 'agent_endpoints', 'hires', 'hire_periods', 'hire_payments', 'owner_layers'),
      ...all('attestations', 'standings', 'ratings', 'pioneers', 'referral_bounties', 'agent_request_days'),
      payers: ['kind', 'payee', 'payer', 'requests_paid'],
      ...all('events', 'deliveries', 'delivery_attempts', 'address_quotas'),
      charges: ['id', 'agent_id', 'status'],
      endpoints: ENDPOINT,
      wallet_quotas: ['wallet', 'endpoints'],
      wallets: ['address', 'first_login_at', 'last_login_at'],
      webhook_targets: ['wallet', 'url_hash', 'answered_at', 'failing_since', 'last_attempt_at', 'proven_at'],
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
      ...['assert_session', 'hire_agent', 'end_hire', 'register_agent', 'change_agent', 'give_rating'],
      ...['answer_rating', 'record_attestation', 'request_verification', 'decide_attestation'],
      ...['redeem_invite', 'create_webhook_endpoint', 'change_webhook_endpoint', 'rotate_webhook_secret'],
      ...['confirm_webhook_endpoint', 'test_webhook_endpoint', 'public.word_bloom'],
    ],
  },
  /** The vault and payments: what the Workers do that hold keys of the chain. */
  money: {
    workers: ['vault', 'payments'],
    select: {
      ...INTENTS,
      ...all('budget_accounts', 'charges', 'hires'),
      agents: ['id', 'pubkey', 'status', 'pauses'],
      credits: ['owner', 'balance', 'low_below'],
      wallets: ['address', 'last_login_at'],
    },
    update: {
      budget_accounts: ['looked_at'],
      hires: ['budget_number'],
      payment_intents: ['asked_at', 'due_at', 'searched_to'],
      vault_intents: ['due_at', 'search_after', 'searched_to'],
      vaults: ['settled_at'],
    },
    execute: [
      ...SETTLE,
      ...['assert_session', 'lock_owners', 'record_stack', 'record_claim', 'record_withdrawal'],
      ...['cosign_vault_intent', 'take_due_stacks', 'record_charge', 'void_charge', 'record_collection'],
      ...['record_payment_intent', 'cosign_payment'],
    ],
  },
  /** Payments for requests. What they cost and what they pay is decided by functions. */
  x402: {
    workers: ['x402'],
    select: {
      agents: ['id', 'pubkey', 'status'],
      request_prices: ['agent_id', 'name', 'asset', 'amount', 'ended_at'],
      request_payments: [
        ...['id', 'agent_id', 'owner', 'payer', 'amount', 'asset', 'status', 'network_signature', 'debit'],
        ...['created_at', 'resolved_at'],
      ],
    },
    execute: [
      ...['assert_session', 'make_facilitator_key', 'set_request_prices', 'verify_request_payment'],
      ...['settle_request_payment', 'answer_request_payment'],
    ],
  },
  /** The rounds of the jobs Worker: it alone reads sealed secrets, and deletes what is old. */
  jobs: {
    workers: ['jobs'],
    select: {
      ...all('events', 'deliveries', 'delivery_attempts', 'delivery_walk'),
      ...all('webhook_hosts', 'webhook_targets'),
      ...all('attestations', 'address_quotas', 'spent_nonces', 'pioneer_spots', 'totals'),
      agents: [
        ...['id', 'pubkey', 'registered_at'],
        ...['webhook_url', 'webhook_disabled_at', 'webhook_disabled_reason'],
      ],
      endpoints: [...ENDPOINT, ...SECRETS],
      hires: ['status', 'expires_at', 'paid_at', 'term_days', 'outcome'],
    },
    insert: { stats_days: ALL, webhook_hosts: ALL },
    update: {
      address_quotas: ['ends_at'],
      attestations: ['status', 'reason', 'expires_at', 'proof_seen_at', 'proof_slot'],
      deliveries: ['status', 'next_attempt_at', 'lease'],
      delivery_attempts: ['attempted_at'],
      delivery_walk: ['after', 'looked_until'],
      endpoints: SECRETS,
      events: ['recorded_at'],
      webhook_hosts: ['since', 'attempts'],
      webhook_targets: ['is_healthy'],
    },
    delete: [
      ...['address_quotas', 'deliveries', 'delivery_attempts', 'events', 'spent_nonces'],
      ...['webhook_hosts', 'webhook_targets'],
    ],
    execute: [
      ...['lease_deliveries', 'record_attempts', 'record_delivered', 'pause_full_endpoint'],
      ...['decide_attestation', 'record_verification', 'revoke_proof'],
      ...['record_due_hires', 'unlist_idle_agents'],
    ],
  },
  /** The rounds that look on the chain for what became of transactions. */
  settlement: {
    workers: ['settlement'],
    select: { ...INTENTS, vault_yield_days: ['day', 'stacked_at'] },
    update: {
      payment_intents: ['asked_at', 'due_at', 'searched_to'],
      vault_intents: ['due_at', 'looked_at', 'search_after', 'searched_to'],
      vaults: ['settled_at'],
    },
    execute: [
      ...SETTLE,
      ...['next_settlement', 'settle_suspicion', 'take_unfound_budgets', 'delete_unpaid_charges'],
      ...['expire_unsigned_payments', 'delete_ended_payments'],
      ...['expire_unsigned_vault_intents', 'delete_ended_vault_intents'],
      ...['take_due_request_payments', 'record_request_outcomes', 'delete_request_leftovers'],
    ],
  },
  /** Looks at agents' endpoints, whose answers are strangers' text: no wallet's rows. */
  probes: {
    workers: ['probes'],
    select: {
      agent_endpoints: ALL,
      agents: ['api_endpoint', 'api_protocol', 'status', 'listed_until'],
      probed_hosts: ALL,
    },
    insert: { probed_hosts: ALL },
    update: { agent_endpoints: ['host', 'next_probe_at'], probed_hosts: ['next_turn_at'] },
    delete: ['probed_hosts'],
    execute: ['lease_turn', 'record_turn'],
  },
  /** Sockets on a wallet's log: it reads events, and writes only until when a wallet listens. */
  live: {
    workers: ['live'],
    select: {
      events: ['id', 'xid', 'seq', 'type', 'occurred_at', 'wallet', 'counterparty', 'data'],
      wallets: ['address', 'listens_until'],
    },
    update: { wallets: ['listens_until'] },
    execute: ['assert_session'],
  },
} as const satisfies Record<string, Rights>

/**
 * What no Worker may touch: tables that only functions use, and functions that only the operator's scripts
 * call. A new table or function has to be here or above.
 */
export const OWNERS = {
  tables: [
    ...['named_endpoints', 'dealings', 'agent_hirers', 'payment_generations', 'invite_codes'],
    ...[
      'facilitator_keys',
      'credits',
      'credit_purchases',
      'sponsored_days',
      'request_payers',
      'payer_failures',
    ],
  ],
  functions: [
    ...['hold_collection', 'record_found_intent', 'settle_held'],
    // Called by the functions of payments' relay.
    'record_credit',
  ],
}

export type Group = keyof typeof RIGHTS
export const groups = Object.keys(RIGHTS) as Group[]

/** The rights of a group, of which a few have none of a kind. */
export const rightsOf = (group: Group): Rights => RIGHTS[group]

const PREFIX = 'agentcred_'
export const roleOf = (group: Group): string => `${PREFIX}${group}`

/** The two logins of a group: Workers use one, the other's password is changed meanwhile. */
export const slots = ['a', 'b'] as const
type Slot = (typeof slots)[number]
export const loginOf = (group: Group, slot: Slot): string => `${roleOf(group)}_${slot}`
export const logins: readonly string[] = groups.flatMap((group) => slots.map((slot) => loginOf(group, slot)))

/** The group of a Worker's rights; undefined for one without a database. */
export const groupOf = (worker: string): Group | undefined =>
  groups.find((group) => rightsOf(group).workers.includes(worker))
