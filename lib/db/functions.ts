// Generated from schema/functions by npm run generate -- functions. Do not edit.
import type { Address } from '../../schema/wallet.ts'
import type { AgentStatus } from '../../schema/values.ts'
import type { ChargeState } from '../../schema/values.ts'
import type { Cred } from '../../schema/amounts.ts'
import type { FeeModel } from '../../schema/values.ts'
import type { GrantablePermission } from '../../schema/values.ts'
import type { HireStatus } from '../../schema/values.ts'
import type { JobStatus } from '../../schema/values.ts'
import type { PositionStatus } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { WebhookEndpointKind } from '../../schema/values.ts'
import type { WebhookProof } from '../../schema/values.ts'
import { postgresFunction, sessionFunction } from './function.ts'

/**
 * Accepts a job for the agent's owner, under the terms of `_terms_hash`. It is then funded under the newest
 * key version. Suspended agents accept none. A repeated acceptance changes nothing.
 * due: deadlines at due_at
 */
export const acceptJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'not_allowed' | 'terms_differ' | 'not_accepting' | 'due' | 'job_changed' | 'deadline_passed'
  dueAt: Date | null
  toNotify: string[]
}>()(
  'accept_job',
  {
    id: 'uuid',
    wallet: 'text',
    grant: 'uuid?',
    termsHash: 'text',
    keyVersion: 'smallint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    dueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Records the owner's answer to a rating, once, and publishes an event. Locks the agent's row, as
 * publish_event requires. The lock also makes one of several concurrent answers the first. A rating of
 * another owner's agent is `rating_not_found`, too.
 */
export const answerRating = /* @__PURE__ */ sessionFunction<{
  outcome: 'answered' | 'unchanged' | 'already_answered' | 'rating_not_found'
  toNotify: string[]
}>()(
  'answer_rating',
  {
    id: 'uuid',
    owner: 'text',
    answer: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Records what a call has seen of the payment that it leases by `_lease`, and returns its answer. Only one
 * call, ever, gets `settled`. `pending` ends the lease, so that the next call can wait. A call that has
 * lost its lease gets `duplicate`. With `settled`, the payment counts for the route of its price, which is
 * enqueued for a probe if the server declared it (`_is_declared`) and it is new.
 * due: looks at probe_at, if a new route was enqueued
 */
export const answerRequestPayment = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'pending' | 'failed' | 'expired' | 'duplicate'
  routeState: string | null
  routeCode: string | null
  probeAt: Date | null
  toNotify: string[]
}>()(
  'answer_request_payment',
  {
    id: 'uuid',
    lease: 'uuid',
    seen: 'text',
    slot: 'bigint?',
    isPayersFault: 'boolean?',
    isDeclared: 'boolean',
    feeStep: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    routeState: 'text?',
    routeCode: 'text?',
    probeAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Changes an agent's status, price, or other columns by name (null clears one). The owner may change it in
 * the statuses of `_owner_from`, an operator in the statuses of `_operator_from`. Due hires are left to the
 * job run; `pauses` stores when the agent was inactive, so the new status does not change the past. A CHECK
 * constraint of wallet_quotas limits active agents. Each change by the owner counts per agent and day, and
 * per client address and hour, because it writes an event, listings or indexes. A new endpoint counts as a
 * new agent instead, because it is probed. An agent that its owner makes active is listed by word and
 * layer. `webhook_secret`, encrypted, becomes the agent's secret unless it has one (`is_secret_new`). An
 * agent keeps its secret when its webhook URL changes or is removed.
 * due: looks a minute later, if endpoint or status was changed; catalog likewise, if is_catalog_changed
 */
export const changeAgent = /* @__PURE__ */ sessionFunction<{
  outcome: 'changed' | 'agent_not_found' | 'not_allowed' | 'too_many_changes' | 'too_many_agents' | 'address_changes_too_often'
  statusBefore: AgentStatus | null
  isSecretNew: boolean
  isCatalogChanged: boolean
  toNotify: string[]
}>()(
  'change_agent',
  {
    id: 'uuid',
    wallet: 'text',
    isOperator: 'boolean',
    changes: 'json',
    webhookSecret: 'text?',
    status: 'text?',
    reason: 'text?',
    ownerFrom: 'text[]',
    operatorFrom: 'text[]',
    changesPerDay: 'integer',
    addressHash: 'text',
    agentsPerAddress: 'integer',
    changesHash: 'text',
    changesPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    statusBefore: 'text?',
    isSecretNew: 'boolean',
    isCatalogChanged: 'boolean',
    toNotify: 'text[]',
  },
)

/**
 * Changes columns of a webhook endpoint that the wallet has made, by name (null clears one), and enables or
 * pauses it. If it is enabled or its URL is set again, its waiting deliveries are due at once. Another URL
 * inherits nothing: waiting deliveries are given up. `unowned` has the new agents that the wallet does not
 * own. Each call counts per client address and hour, since it may create a destination and make thousands
 * of deliveries due.
 */
export const changeWebhookEndpoint = /* @__PURE__ */ sessionFunction<{
  outcome: 'changed' | 'agents_not_owned' | 'endpoint_of_agent' | 'endpoint_not_found' | 'address_too_often'
  unowned: string[]
}>()(
  'change_webhook_endpoint',
  {
    id: 'uuid',
    wallet: 'text',
    changes: 'json',
    enabled: 'boolean?',
    addressHash: 'text',
    changesPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    unowned: 'uuid[]',
  },
)

/**
 * Proves the URL of a webhook endpoint of the wallet, or of its agent's webhook, by the challenge that its
 * receiver got. `to_notify`: the endpoints with due deliveries.
 */
export const confirmWebhookEndpoint = /* @__PURE__ */ sessionFunction<{
  outcome: 'confirmed' | 'wrong_challenge' | 'endpoint_not_found'
  toNotify: string[]
}>()(
  'confirm_webhook_endpoint',
  {
    id: 'uuid',
    wallet: 'text',
    challenge: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Records the one message of a payment transaction that its wallet has signed, and the wallet's signature,
 * before the authority signs. The transaction must be open, built after `_built_after`, without a message,
 * and the one that the message was checked against. It must not collect for a suspended agent. For a
 * funding it also records the address of the budget account. A funding of a job opens it: the job then
 * neither ends nor expires. A payment from an escrow of a job must still be due. Every signature of the
 * authority follows such a record.
 * due: settlement five seconds after the message is recorded; deadlines an hour after a job's funding is
 */
export const cosignPayment = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'not_found' | 'agent_suspended' | 'already_cosigned' | 'expired' | 'due' | 'funding_open' | 'job_changed' | 'deadline_passed' | 'key_leaked' | 'escrow_taken' | 'jobs_ended' | 'input_missing' | 'not_due' | 'in_flight' | 'changed'
}>()(
  'cosign_payment',
  {
    id: 'uuid',
    wallet: 'text',
    transaction: 'text',
    message: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: 'bigint',
    builtAfter: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records the one message of a transaction that its owner's wallet has signed first, before the authority
 * signs. The intent must be open, built after `_built_after` and without a message. Its transaction must be
 * the one that the message was checked against. Every signature of the authority at the relay follows this.
 * A stack or the opening of a vault is admitted now. It uses its share of the yield limits.
 * due: settlement five seconds after the message is recorded; positions a minute after a stack's is
 */
export const cosignVaultIntent = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'not_found' | 'already_cosigned' | 'over' | 'stacking_paused' | 'too_many_open_stacks' | 'positions_full' | 'yield_limit'
  capacity: Cred | null
}>()(
  'cosign_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    transaction: 'text',
    message: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: 'bigint',
    builtAfter: 'timestamptz',
    yieldDay: 'date',
    perWallet: 'bigint',
    perDay: 'bigint',
    leaseEnd: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    capacity: 'bigint?',
  },
)

/**
 * For an operator, after a restore: moves the deadlines of up to `_limit` jobs by the time that the database
 * has lost, as an outage from `_since` to `_now` does. A repeated call moves none again.
 */
export const countLostTime = /* @__PURE__ */ postgresFunction<{
  counted: number
  toNotify: string[]
}>()(
  'count_lost_time',
  {
    since: 'timestamptz',
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    counted: 'integer',
    toNotify: 'text[]',
  },
)

/**
 * Stores a new, enabled webhook endpoint. It counts toward its wallet's quota (`_limit`), and toward the
 * hourly limit of the client address (`_webhooks_per_address`). Concurrent calls for the last place in the
 * quota all count for the address. `unowned` lists agents in `_endpoint` that the wallet does not own.
 */
export const createWebhookEndpoint = /* @__PURE__ */ sessionFunction<{
  outcome: 'created' | 'agents_not_owned' | 'quota_full' | 'address_too_often'
  unowned: string[]
}>()(
  'create_webhook_endpoint',
  {
    endpoint: 'json',
    limit: 'integer',
    addressHash: 'text',
    webhooksPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    unowned: 'uuid[]',
  },
)

/**
 * Decides an attestation whose status is `_from`, and publishes an event. The decider `_by` must not be
 * the attestation's own wallet. Locks the attestation's row, so that one of several concurrent decisions
 * counts. `_status` is verified or rejected. `_expires_at` is an earlier end than the credential's own.
 * `_proof_slot` is the slot at which the account `_by` proved the attestation; the constraint
 * attestations_one_for_each_proof rejects an account that has proven another one. Agents of a verified
 * wallet are listed by word and layer.
 */
export const decideAttestation = /* @__PURE__ */ sessionFunction<{
  outcome: 'decided' | 'attestation_not_found' | 'own_attestation' | 'not_in_status'
  toNotify: string[]
}>()(
  'decide_attestation',
  {
    id: 'uuid',
    from: 'text',
    status: 'text',
    by: 'text',
    reason: 'text?',
    level: 'text?',
    expiresAt: 'timestamptz?',
    proofSlot: 'bigint?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Ends a delivered or disputed job: the hirer by `approve`, the agent's owner by `concede`, its judge by
 * `judge` with what the agent gets. Of grants only the one that posted or accepted the job may, and none may
 * judge. A side never judges. `_is_judge` says whether the wallet is a judge of the deployment. The same
 * decision again changes nothing.
 */
export const decideJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'not_allowed' | 'foreign_job' | 'amount_too_high' | 'due' | 'job_changed' | 'deadline_passed'
  toNotify: string[]
}>()(
  'decide_job',
  {
    id: 'uuid',
    wallet: 'text',
    grant: 'uuid?',
    isJudge: 'boolean',
    act: 'text',
    amount: 'bigint?',
    reason: 'text?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Deletes up to `_limit` ended jobs that were never funded, and the texts of funded ones, from `forget_at`
 * on. Skips rows that another transaction has locked; the next call takes them.
 */
export const deleteEndedJobs = /* @__PURE__ */ postgresFunction<{
  deleted: number
  emptied: number
}>()(
  'delete_ended_jobs',
  {
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    deleted: 'integer',
    emptied: 'integer',
  },
)

/**
 * Deletes built transactions of payments that expired or failed and were built before `_before`, the
 * oldest first, with their legs; only unsigned ones unless `_were_signed`.
 */
export const deleteEndedPayments = /* @__PURE__ */ postgresFunction<{
  deleted: number
}>()(
  'delete_ended_payments',
  {
    before: 'timestamptz',
    wereSigned: 'boolean',
    limit: 'integer',
  },
  {
    deleted: 'integer',
  },
)

/**
 * Deletes built transactions of the vault that expired or failed and were built before `_before`, the
 * oldest first, with their legs; only unsigned ones unless `_were_signed`.
 */
export const deleteEndedVaultIntents = /* @__PURE__ */ postgresFunction<{
  deleted: number
}>()(
  'delete_ended_vault_intents',
  {
    before: 'timestamptz',
    wereSigned: 'boolean',
    limit: 'integer',
  },
  {
    deleted: 'integer',
  },
)

/**
 * Deletes all texts of a job for an operator, its title and brief too. Its state and its money stay.
 */
export const deleteJobTexts = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'job_not_found'
}>()(
  'delete_job_texts',
  {
    id: 'uuid',
  },
  {
    outcome: 'text',
  },
)

/**
 * Deletes old rows of payments for requests: payments that failed or expired before `_before`, and days of
 * network fees before it. Also deletes failures that no longer bar a payer, and prices past their last use.
 * Priced routes are deleted after 30 days out of the catalog; one that its owner hides, once its price has
 * ended. At most `_limit` of each. Settled payments stay. Safe to run twice at once.
 */
export const deleteOldRequestRows = /* @__PURE__ */ postgresFunction<{
  payments: number
  failures: number
  prices: number
  days: number
  resources: number
}>()(
  'delete_old_request_rows',
  {
    before: 'timestamptz',
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    payments: 'integer',
    failures: 'integer',
    prices: 'integer',
    days: 'integer',
    resources: 'integer',
  },
)

/**
 * Deletes unpaid charges, including voided ones, of hires that ended at `_ended_by` or before: at most
 * `_most_charges`, of at most `_most_hires` hires, in the order of their ends. Their owners get the slots
 * back. A hire without unpaid charges is closed, so that later calls skip it, and its periods without paid
 * charges are deleted. Returns the numbers of charges and hires. Safe to run twice at once.
 */
export const deleteUnpaidCharges = /* @__PURE__ */ postgresFunction<{
  deleted: number
  closed: number
}>()(
  'delete_unpaid_charges',
  {
    endedBy: 'timestamptz',
    mostHires: 'integer',
    mostCharges: 'integer',
  },
  {
    deleted: 'integer',
    closed: 'integer',
  },
)

/**
 * Records the delivery of a funded job, once, for the agent's owner. The same delivery again changes
 * nothing.
 * due: deadlines at due_at
 */
export const deliverJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'not_allowed' | 'due' | 'job_changed' | 'deadline_passed'
  dueAt: Date | null
  toNotify: string[]
}>()(
  'deliver_job',
  {
    id: 'uuid',
    wallet: 'text',
    delivery: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    dueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Ends a wallet's grant. The client's tokens are rejected afterwards. Repeating it changes nothing.
 */
export const endGrant = /* @__PURE__ */ sessionFunction<{
  outcome: 'ended' | 'grant_not_found'
}>()(
  'end_grant',
  {
    id: 'uuid',
    wallet: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Ends a hire at `_now`, for its hirer or its agent's owner. A hire that has already ended stays as it is. If
 * its term ended earlier, the expiry or the renewals until now are recorded first. Also returns the sum spent
 * in the hire's last period.
 */
export const endHire = /* @__PURE__ */ sessionFunction<{
  outcome: 'ended' | 'hire_not_found'
  spent: bigint
  toNotify: string[]
}>()(
  'end_hire',
  {
    id: 'uuid',
    wallet: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    spent: 'bigint',
    toNotify: 'text[]',
  },
)

/**
 * Ends a job before its funding, for either side, or a funded one for the agent's owner, who can't do it.
 * While a funding is signed, neither side can. A repeated call changes nothing.
 */
export const endJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'funding_open' | 'due' | 'job_changed' | 'deadline_passed'
  toNotify: string[]
}>()(
  'end_job',
  {
    id: 'uuid',
    wallet: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Ends built transactions of payments that were not signed by their deadline (built at `_built_by` or
 * before), oldest first, and frees their charges. Skips rows that another transaction has locked; the next
 * run takes them.
 */
export const expireUnsignedPayments = /* @__PURE__ */ postgresFunction<{
  expired: number
}>()(
  'expire_unsigned_payments',
  {
    builtBy: 'timestamptz',
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    expired: 'integer',
  },
)

/**
 * Ends built transactions of the vault that were not signed by their deadline (built at `_built_by` or
 * before), oldest first, and frees the positions of their claims. Skips rows that another transaction has
 * locked; the next run takes them.
 */
export const expireUnsignedVaultIntents = /* @__PURE__ */ postgresFunction<{
  expired: number
}>()(
  'expire_unsigned_vault_intents',
  {
    builtBy: 'timestamptz',
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    expired: 'integer',
  },
)

/**
 * Records that a built transaction of the vault can't take effect any more. It does nothing if the relay
 * has signed the transaction since it was read: the signature and last block must be the given ones. Frees
 * the positions of a claim, and a stack's count and share of the yield limits. A search for a signed stack
 * starts again ten minutes after it was built. After a withdrawal that a donation has blocked, the next one
 * leaves the position's account open.
 */
export const expireVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'expired' | 'over' | 'changed'
}>()(
  'expire_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    networkSignature: 'text?',
    lastValidBlockHeight: 'bigint',
    isBlocked: 'boolean',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Moves the deadlines of up to `_limit` funded jobs that pass before `_until` to that time, after an outage
 * that the Clock can't see, such as of logins. Deadlines of which the default is not settled yet move, too.
 * A repeated call moves none again.
 */
export const extendJobs = /* @__PURE__ */ postgresFunction<{
  extended: number
  toNotify: string[]
}>()(
  'extend_jobs',
  {
    until: 'timestamptz',
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    extended: 'integer',
    toNotify: 'text[]',
  },
)

/**
 * Records that a built transaction of the vault has failed, even if it was considered expired.
 * 
 * A stack can be on the chain and withdrawn again before a job sees it. Its yield has then left the treasury
 * before the term ended, which only a holder of the recovery key can do. So new stacks of that key version
 * stop, as after every early payout. If it is unknown whether that happened, the yield counts as paid, and
 * nothing stops. If the caller's settings have other keys than the deployment, nothing is recorded.
 */
export const failVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'failed' | 'over' | 'keys_differ'
}>()(
  'fail_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    reason: 'text',
    authority: 'text',
    recovery: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Rates a hire that the wallet has paid for (`_hire_id`), or an agent whose requests it has paid for
 * (`_agent_id`). Revises a rating once, if it was given after `_revisable_since`. It becomes the payer's
 * latest rating of the agent and of its owner, and updates their sums and scores. Locks the agent's row.
 */
export const giveRating = /* @__PURE__ */ sessionFunction<{
  outcome: 'rated' | 'revised' | 'unchanged' | 'hire_not_found' | 'agent_not_found' | 'own_hire' | 'too_little_paid' | 'rating_final'
  toNotify: string[]
}>()(
  'give_rating',
  {
    id: 'uuid',
    hireId: 'uuid?',
    agentId: 'uuid?',
    wallet: 'text',
    rating: 'smallint',
    comment: 'text?',
    minPaid: 'bigint',
    revisableSince: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Takes a priced route of an agent of the wallet out of the catalog, or lets it be listed again. Then it is
 * probed first: at once, or an hour after its last probe.
 * due: looks at probe_at, if the route is shown; catalog a minute later, if is_catalog_changed
 */
export const hideResource = /* @__PURE__ */ sessionFunction<{
  outcome: 'changed' | 'agent_not_found' | 'route_not_found'
  isCatalogChanged: boolean
  probeAt: Date | null
}>()(
  'hide_resource',
  {
    agentId: 'uuid',
    owner: 'text',
    priceName: 'text',
    isHidden: 'boolean',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    isCatalogChanged: 'boolean',
    probeAt: 'timestamptz?',
  },
)

/**
 * Hires an agent for a term of whole days from `_now`, at the agent's price of this moment. A caller that
 * names a price hires at no other. Without layers, the hire has all of the agent's. An earlier hire of the
 * same agent whose term is over is recorded first. Locks the agent's row, so that concurrent calls of a
 * wallet create one hire. Hires count against the client address, per hour. A hired agent
 * is listed by word and layer; its `listed_until` changes once a day at most, since an index has it.
 * A hire by a grant with a spend limit needs a budget, which counts against that limit for good. If the
 * budget exceeds the rest of the limit, the rest is `remaining`. A hire by a grant that has ended is rejected
 * as that of a revoked session.
 * due: hires at expires_at
 */
export const hireAgent = /* @__PURE__ */ sessionFunction<{
  outcome: 'hired' | 'agent_not_found' | 'agent_not_active' | 'layers_not_supported' | 'price_changed' | 'already_hired' | 'budget_limit_required' | 'renewal_not_granted' | 'spend_limit_exceeded' | 'too_many_hires'
  agentStatus: AgentStatus | null
  supportedLayers: number[] | null
  remaining: bigint | null
  toNotify: string[]
}>()(
  'hire_agent',
  {
    id: 'uuid',
    wallet: 'text',
    grant: 'uuid?',
    agentId: 'uuid',
    layers: 'smallint[]?',
    feeModel: 'text?',
    feeAmount: 'bigint?',
    budgetLimit: 'bigint?',
    autoRenew: 'boolean',
    termDays: 'smallint',
    addressHash: 'text',
    hiresPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    agentStatus: 'text?',
    supportedLayers: 'smallint[]?',
    remaining: 'bigint?',
    toNotify: 'text[]',
  },
)

/**
 * Records a landed collection whose paid charges the database has lost, and holds its hires for an
 * operator, after a restore. Nothing is collected for a held hire until the operator has named its paid
 * charges (settle_held) and released it. Unsigned collections of these hires are deleted, and their charges
 * freed. The five lists have an entry for each budget account.
 */
export const holdCollection = /* @__PURE__ */ postgresFunction<{
  outcome: 'held' | 'over'
}>()(
  'hold_collection',
  {
    id: 'uuid',
    wallet: 'text',
    keyVersion: 'smallint',
    feeBps: 'smallint',
    transaction: 'text',
    message: 'text',
    cosignedMessage: 'text',
    networkSignature: 'text',
    slot: 'bigint',
    landedAt: 'timestamptz',
    hires: 'uuid[]',
    addresses: 'text[]',
    seeds: 'text[]',
    amounts: 'bigint[]',
    fees: 'bigint[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records that a built transaction of the vault has landed, once, and publishes its event. A stack opens
 * its position, even if it was considered expired (job-run.ts). A claim counts as paid and frees its
 * positions. An unstack closes its position. Every unstack of a position that is gone counts as landed, no
 * matter which one emptied it. `_addresses` and `_balances` have the balances of the intent's accounts at
 * `_slot`.
 */
export const landVaultIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'landed' | 'over'
  toNotify: string[]
}>()(
  'land_vault_intent',
  {
    id: 'uuid',
    owner: 'text',
    addresses: 'text[]',
    balances: 'bigint[]',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Leases due deliveries of webhook endpoints, the highest rank first, within the tokens of the buckets
 * that limit their destinations. Until the lease ends, no other run gets them; without a recorded result
 * they are due again then. Concurrent calls lease different deliveries. A shared run (without
 * `_url_hash`) leases only deliveries of healthy destinations, which it does not lock. Each other
 * endpoint needs a run of its own (`is_failing`: its destination fails). A run for one endpoint leases
 * its deliveries if it still has the URL of `_url_hash`. A destination that is not proven, or fails, gets
 * one attempt, and is paused until its end. `challenge`: the receiver gets a request for a proof instead
 * of the event. `paused_until`: the pause of a new destination after the attempt, which grows with the
 * time of its failures. An endpoint that is paused or has no tokens is due at `retry_at`; `is_urgent`:
 * the database is woken for it. Only leased rows have `secrets` and the columns after it. `_limits`:
 * lib/events/limits.ts. Reserved tokens lapse after a while, so that nobody saves them up.
 * due: deliveries at retry_at, or with the next scheduled run if it is not urgent
 */
export const leaseDeliveries = /* @__PURE__ */ postgresFunction<{
  outcome: 'leased' | 'paused' | 'needs_own_run'
  endpointId: string
  kind: WebhookEndpointKind
  wallet: Wallet
  url: string
  retryAt: Date | null
  isUrgent: boolean
  isFailing: boolean
  secrets: string[]
  proof: WebhookProof
  challenge: string | null
  pausedUntil: Date | null
  id: string
  type: string
  timestamp: string
  data: string
  agentName: string | null
  attempts: number
}>()(
  'lease_deliveries',
  {
    endpointIds: 'uuid[]',
    urlHash: 'text?',
    host: 'text?',
    lease: 'uuid',
    trustedHosts: 'text[]',
    newChallenge: 'text?',
    limits: 'json',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    endpointId: 'uuid',
    kind: 'text',
    wallet: 'text',
    url: 'text',
    retryAt: 'timestamptz?',
    isUrgent: 'boolean',
    isFailing: 'boolean',
    secrets: 'text[]',
    proof: 'text',
    challenge: 'text?',
    pausedUntil: 'timestamptz?',
    id: 'uuid',
    type: 'text',
    timestamp: 'text',
    data: 'text',
    agentName: 'text?',
    attempts: 'integer',
  },
)

/**
 * Leases the host of a queue that has waited longest, with up to `_limit` of its due endpoints. Endpoints
 * last seen live come first, because anyone can name others at the same host. Nobody else gets the host
 * until `_lease_end`; without a record by then, it is due again. An endpoint may have killed its batch, so
 * each endpoint of an unfinished batch is then leased alone, after the others of its host. If that is not
 * finished either, it waits a day for each further lease.
 * due: looks when the lease ends (its job run answers)
 */
export const leaseHost = /* @__PURE__ */ postgresFunction<{
  host: string | null
  slowUntil: Date | null
}>()(
  'lease_host',
  {
    queue: 'text',
    lease: 'uuid',
    now: 'timestamptz',
    leaseEnd: 'timestamptz',
    limit: 'integer',
  },
  {
    host: 'text?',
    slowUntil: 'timestamptz?',
  },
)

/**
 * Leases a host with up to `_limit` of its due priced routes, new ones first. The lists name the routes of
 * the host with their URLs. A route whose URL has changed stays due. If another lease or its pause has the
 * host, its routes wait for the end of that. Endpoints and routes that are due alternate. A route that was
 * leased twice without a record may have crashed these runs, and waits a day.
 * due: looks when the lease ends, or the host is free (its job run answers)
 */
export const leaseResources = /* @__PURE__ */ postgresFunction<{
  agentId: string
  priceName: string
  url: string
  owner: string
  isActive: boolean
  asset: string | null
  amount: bigint | null
  isNamed: boolean
}>()(
  'lease_resources',
  {
    host: 'text',
    agentIds: 'uuid[]',
    priceNames: 'text[]',
    urls: 'text[]',
    lease: 'uuid',
    limit: 'integer',
    now: 'timestamptz',
    leaseEnd: 'timestamptz',
  },
  {
    agentId: 'uuid',
    priceName: 'text',
    url: 'text',
    owner: 'text',
    isActive: 'boolean',
    asset: 'text?',
    amount: 'bigint?',
    isNamed: 'boolean',
  },
)

/**
 * Locks the vaults of owners in the order of their keys, before a transaction records several outcomes.
 * Each outcome also locks the row of its day, which comes after the vaults.
 */
export const lockOwners = /* @__PURE__ */ postgresFunction<{
  locked: number
}>()(
  'lock_owners',
  {
    owners: 'text[]',
  },
  {
    locked: 'integer',
  },
)

/**
 * Makes a new facilitator key for an agent of the wallet, which ends earlier versions at once. A version
 * (`generation`) is the second of its creation. So a restored database that has lost an ended key never
 * makes it again.
 */
export const makeFacilitatorKey = /* @__PURE__ */ sessionFunction<{
  outcome: 'made' | 'agent_not_found'
  generation: number | null
}>()(
  'make_facilitator_key',
  {
    agentId: 'uuid',
    owner: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    generation: 'integer?',
  },
)

/**
 * Walks over up to `_steps` webhook endpoints with pending deliveries, one index search each, from the
 * end of the last walk. Returns up to `_limit` enabled endpoints with due deliveries and no pause, of
 * `due_count`. Proven destinations come first, since strangers can make thousands of others, then the
 * longest wait decides. Failing destinations with a recent attempt come last, so that an owner of a
 * thousand delays no lost message. `next_at`: the first due time of the other endpoints, and `urgent_at`
 * the first for which the database is woken. `is_first`: the walk began with the first endpoint, and
 * `is_last`: it reached the last. Gives up a limited number of deliveries (`given_up`) to deleted
 * endpoints, except running attempts.
 */
export const nextDeliveries = /* @__PURE__ */ postgresFunction<{
  endpointIds: string[]
  urls: string[]
  dueCount: number
  nextAt: Date | null
  urgentAt: Date | null
  isFirst: boolean
  isLast: boolean
  givenUp: number
}>()(
  'next_deliveries',
  {
    steps: 'integer',
    limit: 'integer',
    limits: 'json',
    now: 'timestamptz',
  },
  {
    endpointIds: 'uuid[]',
    urls: 'text[]',
    dueCount: 'integer',
    nextAt: 'timestamptz?',
    urgentAt: 'timestamptz?',
    isFirst: 'boolean',
    isLast: 'boolean',
    givenUp: 'integer',
  },
)

/**
 * Returns when settlement is next due. `signed_at` is for signed and open transactions. `other_at` may wait
 * a few minutes for another job run: it is for expired stacks to search for again, and unrecorded budget
 * accounts.
 */
export const nextSettlement = /* @__PURE__ */ postgresFunction<{
  signedAt: Date | null
  otherAt: Date | null
}>()(
  'next_settlement',
  {
  },
  {
    signedAt: 'timestamptz?',
    otherAt: 'timestamptz?',
  },
)

/**
 * Records the hirer's objection to a delivery, with its reason. Of grants only the one that posted the job
 * may. The same objection again changes nothing.
 * due: deadlines at due_at
 */
export const objectJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'not_allowed' | 'foreign_job' | 'due' | 'job_changed' | 'deadline_passed'
  dueAt: Date | null
  toNotify: string[]
}>()(
  'object_job',
  {
    id: 'uuid',
    wallet: 'text',
    grant: 'uuid?',
    reason: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    dueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Orders a job of an agent, under the agent's terms. The same reference returns the same job. Locks the
 * hirer's wallet, so that concurrent orders keep to its limits, then the agent. Orders count against the
 * client address, per hour. A full queue of the agent drops another order, or rejects this one
 * (job_to_yield). `_terms_hash` is the hash of all terms with `_salt`.
 * due: deadlines at due_at
 */
export const postJob = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_differs' | 'agent_not_found' | 'own_agent' | 'not_accepting' | 'judge_not_listed' | 'terms_not_met' | 'too_many_unended' | 'queue_full' | 'too_many_jobs'
  jobId: string | null
  dueAt: Date | null
  toNotify: string[]
}>()(
  'post_job',
  {
    id: 'uuid',
    hirer: 'text',
    grant: 'uuid?',
    agentId: 'uuid',
    reference: 'text',
    title: 'text',
    brief: 'text',
    inputHash: 'text?',
    price: 'bigint',
    minPrice: 'bigint',
    feeBps: 'smallint',
    judge: 'text',
    acceptMinutes: 'integer',
    workMinutes: 'integer',
    reviewMinutes: 'integer',
    termsHash: 'text',
    salt: 'text',
    addressHash: 'text',
    jobsPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    jobId: 'uuid?',
    dueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Records what one side of a funded job proposes that the agent gets. Once both propose the same amount, the
 * job ends with it. Of grants only the one that posted or accepted the job may. The same proposal again
 * changes nothing.
 */
export const proposeSplit = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'job_not_found' | 'foreign_job' | 'amount_too_high' | 'due' | 'job_changed' | 'deadline_passed'
  status: JobStatus | null
  toNotify: string[]
}>()(
  'propose_split',
  {
    id: 'uuid',
    wallet: 'text',
    grant: 'uuid?',
    amount: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    status: 'text?',
    toNotify: 'text[]',
  },
)

/**
 * Records the results of a run's attempts at webhook endpoints, each once, and the state of the
 * deliveries whose lease still holds. A lease ends by time or by a replay. An answer still changes the
 * destination and the endpoint then; otherwise a replay would avoid that. `_results`: attempt_results. A
 * shared run (`_is_shared`) leaves a destination healthy whose answers were prompt 2xx, without locking
 * it. Otherwise a destination is healthy if it is proven and all answers were prompt 2xx. It fails from
 * the first run without a 2xx. A 2xx of a trusted host proves the destination. Disables an endpoint that
 * is gone or has failed for too long, unless its owner has set it again since. Returns rows for endpoints
 * that are not healthy. `to_notify`: the endpoints with due deliveries, such as the `endpoint.disabled`
 * event, or deliveries that waited for a 2xx. `next_at`: the time of the endpoint's next delivery.
 * `is_urgent`: whether the database is woken for it (is_worth_waking). `_limits`: lib/events/limits.ts.
 * Columns of webhook_targets: `is_awaited` is urgent, `held_until` is when a pause ends.
 * due: deliveries at next_at, or with the next scheduled run if it is not urgent
 */
export const recordAttempts = /* @__PURE__ */ postgresFunction<{
  endpointId: string
  toNotify: string[]
  nextAt: Date | null
  isUrgent: boolean
}>()(
  'record_attempts',
  {
    lease: 'uuid',
    leasedAt: 'timestamptz',
    results: 'json',
    isShared: 'boolean',
    trustedHosts: 'text[]',
    limits: 'json',
    now: 'timestamptz',
  },
  {
    endpointId: 'uuid',
    toNotify: 'text[]',
    nextAt: 'timestamptz?',
    isUrgent: 'boolean',
  },
)

/**
 * Records a credential that a wallet claims, unless it is already recorded. An attestation is never
 * deleted. A new one counts per wallet and UTC day, which a CHECK constraint of wallet_quotas limits, and
 * per client address and hour. One sent several times at once may count several times for the address.
 */
export const recordAttestation = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'too_many_attestations'
}>()(
  'record_attestation',
  {
    attestation: 'json',
    addressHash: 'text',
    attestationsPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records a charge of the owner for work on a hire, if the hire, its fee and the rest of its period's
 * budget allow it. The lock of the agent covers hire, period and references, so concurrent charges never
 * exceed a budget together. A charge that does not fit exhausts the budget. `budget_exhausted` records that
 * and publishes it once, except in a period without charges. A charge that fits counts per client address
 * and hour. A CHECK constraint of wallet_quotas limits charges.
 * due: settlement a minute after a charge on a hire with an unrecorded budget account (`is_undiscovered`)
 */
export const recordCharge = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'recorded_before' | 'hire_not_found' | 'hire_not_active' | 'agent_suspended' | 'charge_invalid' | 'budget_exhausted' | 'too_many_charges'
  hireStatus: HireStatus | null
  hireEndedAt: Date | null
  layersEnabled: number[] | null
  feeModel: FeeModel | null
  feeAmount: bigint | null
  budgetLimit: bigint | null
  spent: bigint
  chargeState: ChargeState | null
  isUndiscovered: boolean
  toNotify: string[]
}>()(
  'record_charge',
  {
    id: 'uuid',
    owner: 'text',
    hireId: 'uuid',
    reference: 'text',
    units: 'bigint?',
    capturedValue: 'bigint?',
    share: 'bigint?',
    layer: 'smallint?',
    description: 'text?',
    result: 'text?',
    addressHash: 'text',
    chargesPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    hireStatus: 'text?',
    hireEndedAt: 'timestamptz?',
    layersEnabled: 'smallint[]?',
    feeModel: 'text?',
    feeAmount: 'bigint?',
    budgetLimit: 'bigint?',
    spent: 'bigint',
    chargeState: 'text?',
    isUndiscovered: 'boolean',
    toNotify: 'text[]',
  },
)

/**
 * Records a built claim if each of its positions is unchanged since it was read: the owner's, open, with
 * the same claimed yield, and without an open claim. Claims that this one replaces do not count. All
 * positions or none: a payout settled since then invalidates the whole claim. The four lists have an entry
 * for each position; `_balances` and `_claimed_before` are the inputs of the amounts. `_replaces` has open
 * claims that were unsigned when they were read. They are deleted unless they were signed since.
 * due: settlement five seconds after the authority has signed it (service_first)
 */
export const recordClaim = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'positions_changed'
}>()(
  'record_claim',
  {
    id: 'uuid',
    owner: 'text',
    keyVersion: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    addresses: 'text[]',
    amounts: 'bigint[]',
    balances: 'bigint[]',
    claimedBefore: 'bigint[]',
    replaces: 'uuid[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records a built collection and its charges, if each is unchanged since it was read: the owner's,
 * recorded, and in no collection except the owner's unsigned one. All charges or none. The unsigned one is
 * deleted unless the relay signs it meanwhile: an owner has at most one. `charges_changed` also writes: it
 * notes the reads of the accounts of `_seen_hires`, so that others come first next time, and deletes the
 * unsigned collection, which frees its charges. `_hires`, `_addresses`, `_amounts` and `_fees` have an
 * entry for each paying account.
 */
export const recordCollection = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'charges_changed'
}>()(
  'record_collection',
  {
    id: 'uuid',
    wallet: 'text',
    keyVersion: 'smallint',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    feeBps: 'smallint',
    charges: 'uuid[]',
    hires: 'uuid[]',
    addresses: 'text[]',
    amounts: 'bigint[]',
    fees: 'bigint[]',
    seenHires: 'uuid[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Spends a nonce and records a wallet's consent, like a login. Returns the wallet's session `epoch`. With
 * `grant_id` it also records the grant of a token or a key, and publishes it; a client's grant follows when
 * it redeems its code. Consents count against the client address, per hour. A consent above that limit is a
 * login, too, and spends its nonce.
 */
export const recordConsent = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'nonce_spent' | 'too_many_consents'
  epoch: number
  toNotify: string[]
}>()(
  'record_consent',
  {
    nonce: 'text',
    expiresAt: 'timestamptz',
    wallet: 'text',
    addressHash: 'text',
    consentsPerAddress: 'integer',
    grantId: 'uuid?',
    kind: 'text?',
    client: 'text?',
    name: 'text?',
    publicKey: 'text?',
    permissions: 'text[]?',
    spendLimit: 'bigint?',
    endsAt: 'timestamptz?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    epoch: 'integer',
    toNotify: 'text[]',
  },
)

/**
 * Adds bought credit to its owner's balance, once for each purchase, and publishes it. The balance is low
 * below a fifth of its present value, as for a budget.
 */
export const recordCredit = /* @__PURE__ */ postgresFunction<{
  outcome: 'credited' | 'credited_before'
  toNotify: string[]
}>()(
  'record_credit',
  {
    id: 'uuid',
    owner: 'text',
    amount: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Records up to `_limit` hires whose term has ended, in the order of their ends: either paid hires or unpaid
 * ones, so that unpaid hires never delay paid ones. Skips hires of agents that another transaction has
 * locked; the next call takes them.
 * due: hires at the ends of the terms that it begins (its job run answers)
 */
export const recordDueHires = /* @__PURE__ */ postgresFunction<{
  expired: number
  renewed: number
  toNotify: string[]
}>()(
  'record_due_hires',
  {
    now: 'timestamptz',
    paid: 'boolean',
    limit: 'integer',
  },
  {
    expired: 'integer',
    renewed: 'integer',
    toNotify: 'text[]',
  },
)

/**
 * Settles up to `_limit` jobs whose deadline has passed, in the order of their deadlines, as settle_job
 * does. Skips jobs of agents that another transaction has locked; the next call takes them. Each job has a
 * savepoint, so that one that fails stops no other: its id is in `failed`. The caller passes the ids that
 * have failed as `_except` to the next call, so that they leave room for later deadlines. `next_due_at` is
 * the earliest deadline left of a funded job, `next_unfunded_due_at` that of another one.
 * due: deadlines at the deadlines that outages have moved (its job run answers)
 */
export const recordDueJobs = /* @__PURE__ */ postgresFunction<{
  settled: number
  extended: number
  failed: string[]
  nextDueAt: Date | null
  nextUnfundedDueAt: Date | null
  toNotify: string[]
}>()(
  'record_due_jobs',
  {
    gapsFrom: 'timestamptz[]',
    gapsUntil: 'timestamptz[]',
    now: 'timestamptz',
    except: 'uuid[]',
    limit: 'integer',
  },
  {
    settled: 'integer',
    extended: 'integer',
    failed: 'uuid[]',
    nextDueAt: 'timestamptz?',
    nextUnfundedDueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Records budget accounts that were found on the chain, funded and with the owner's payout account as
 * delegate, without a funding through the relay. Each list has an entry for each account. A hire's unsigned
 * funding has landed if more can be collected from the account than at its build, and no funding sent by
 * the relay since then explains it. Also returns the hires whose accounts are recorded at these addresses
 * now.
 */
export const recordFoundBudgets = /* @__PURE__ */ postgresFunction<{
  recorded: string[]
  toNotify: string[]
}>()(
  'record_found_budgets',
  {
    hireIds: 'uuid[]',
    addresses: 'text[]',
    seeds: 'text[]',
    keyVersions: 'smallint[]',
    payables: 'bigint[]',
    now: 'timestamptz',
  },
  {
    recorded: 'uuid[]',
    toNotify: 'text[]',
  },
)

/**
 * Records a landed transaction of the vault that the database has lost, and its effects: for an operator,
 * after a restore. A known but unsigned one counts as signed from now on. The limits do not apply: a stack
 * is recorded as one that was considered expired. A position has at most one open claim, so any other claim
 * of its positions has ended without effect before this one was built. It landed at `_slot` and
 * `_landed_at`; `_balances` has the balances of its positions at `_seen_slot`.
 */
export const recordFoundIntent = /* @__PURE__ */ postgresFunction<{
  outcome: 'landed' | 'over'
  toNotify: string[]
}>()(
  'record_found_intent',
  {
    id: 'uuid',
    owner: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    transaction: 'text',
    message: 'text',
    cosignedMessage: 'text',
    networkSignature: 'text',
    slot: 'bigint',
    landedAt: 'timestamptz',
    lockDays: 'smallint?',
    apyBps: 'smallint?',
    stakedAt: 'timestamptz?',
    yield: 'bigint?',
    addresses: 'text[]',
    amounts: 'bigint[]',
    balances: 'bigint[]',
    seenSlot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Records a landed transaction of jobs that the database has lost, and its effects: for an operator, after a
 * restore. A funding funds its job, and accepts an open one. The order of an unknown job is lost. The job is
 * made anew for an agent of its owner: disputed and without a judge, so each side gets half unless they
 * agree. A payment shows how its job has ended: a guard above the amount is the whole price. Otherwise
 * nothing is due to the other side. The lists have an entry for each escrow; an absent seed is
 * empty, an absent guard 0.
 * `lost`: the owner of an unknown job has no agent any more.
 */
export const recordFoundJobPayment = /* @__PURE__ */ postgresFunction<{
  outcome: 'landed' | 'over' | 'lost'
  toNotify: string[]
}>()(
  'record_found_job_payment',
  {
    id: 'uuid',
    wallet: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    transaction: 'text',
    message: 'text',
    cosignedMessage: 'text',
    networkSignature: 'text',
    slot: 'bigint',
    landedAt: 'timestamptz',
    jobs: 'uuid[]',
    addresses: 'text[]',
    seeds: 'text[]',
    amounts: 'bigint[]',
    fees: 'bigint[]',
    guards: 'bigint[]',
    owner: 'text?',
    termsHash: 'text?',
    feeBps: 'smallint',
    feeStep: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Records a built transaction of jobs, for the hirer (`open_refund`, `fund_job`, `refund_job`,
 * `close_escrows`) or the agents' owner (`collect_jobs`). It replaces an unsigned one of the same kind: of
 * the same job, if it pays in or back, otherwise of the wallet. With a funding comes the job's input, whose
 * hash was posted: it is kept for the agent, and without it nothing is funded. The lists have an entry for
 * each escrow; an absent seed is empty, an absent guard 0. A transaction that needs no tokens
 * (`_address_hash`) counts per client address and hour.
 */
export const recordJobIntent = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'job_not_found' | 'due' | 'funding_open' | 'job_changed' | 'deadline_passed' | 'agent_suspended' | 'key_leaked' | 'escrow_taken' | 'jobs_ended' | 'input_missing' | 'input_differs' | 'not_due' | 'in_flight' | 'changed' | 'too_many_builds'
}>()(
  'record_job_intent',
  {
    id: 'uuid',
    wallet: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    jobs: 'uuid[]',
    addresses: 'text[]',
    seeds: 'text[]',
    amounts: 'bigint[]',
    fees: 'bigint[]',
    guards: 'bigint[]',
    input: 'text?',
    addressHash: 'text?',
    buildsPerAddress: 'integer?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Spends a nonce, records the wallet's login, and lists its idle active agents by word and layer again.
 * Returns the wallet's session `epoch` and whether it owns the agent. A nonce can be spent once.
 */
export const recordLogin = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'nonce_spent'
  epoch: number
  ownsAgent: boolean
}>()(
  'record_login',
  {
    nonce: 'text',
    expiresAt: 'timestamptz',
    wallet: 'text',
    agentId: 'uuid?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    epoch: 'integer',
    ownsAgent: 'boolean',
  },
)

/**
 * Records the open positions of one read of the chain, at `_slot`. Settlements recorded for a later slot
 * stay. Positions that are gone are closed, and positions that never were in escrow are void, unless the
 * settings have other keys than the deployed ones. The lists have an entry for each position. `_early`
 * names positions that paid out more than had accrued. Returns the recorded positions.
 * due: positions thirty seconds after an early payout is seen
 */
export const recordObservations = /* @__PURE__ */ postgresFunction<{
  address: Address
  owner: Wallet
  status: PositionStatus
  generation: number
}>()(
  'record_observations',
  {
    addresses: 'text[]',
    balances: 'bigint[]',
    statuses: 'text[]',
    authorities: 'text[]',
    recoveries: 'text[]',
    early: 'text[]',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    address: 'text',
    owner: 'text',
    status: 'text',
    generation: 'smallint',
  },
)

/**
 * Records a built transaction that its wallet signs alone (`open_collector`, `fund_budget`,
 * `withdraw_budget`), or that buys credit (`buy_credit`). It replaces an unsigned one: on the same hire's
 * budget account, of the same key version's payout account, or of the wallet's purchase. The replaced one is
 * deleted unless the relay signs it meanwhile. A transaction on a hire's budget account fails if the
 * account's address is not `_address_before` any more, since the state was read at that address. A
 * transaction that needs no tokens (`_address_hash`) counts per client address and hour.
 */
export const recordPaymentIntent = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'account_moved' | 'too_many_builds'
}>()(
  'record_payment_intent',
  {
    id: 'uuid',
    wallet: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    hireId: 'uuid?',
    address: 'text?',
    seed: 'text?',
    addressBefore: 'text?',
    amount: 'bigint?',
    payableBefore: 'bigint?',
    credit: 'bigint?',
    addressHash: 'text?',
    buildsPerAddress: 'integer?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Records the results of a host's batch, and pauses the host until `_free_at`. Does nothing if the lease has
 * ended and another run has leased the endpoints. Endpoints that were due at `_leased_at` and are left wait
 * for the next scheduled run (`_next_scheduled_run`). Endpoints that became due later, or that an
 * unfinished batch had leased, wait only for `_free_at`.
 * due: looks at a scheduled run, or when the host is free (its job run answers)
 */
export const recordProbes = /* @__PURE__ */ postgresFunction<{
  recorded: number
}>()(
  'record_probes',
  {
    host: 'text',
    lease: 'uuid',
    states: 'json',
    isSlow: 'boolean',
    slowUntil: 'timestamptz?',
    freeAt: 'timestamptz',
    leasedAt: 'timestamptz',
    nextScheduledRun: 'timestamptz',
  },
  {
    recorded: 'integer',
  },
)

/**
 * Records the outcomes on the chain (`settled`, `failed` or `expired`) of payments for requests that no
 * call waits for, each once. The four lists have an entry for each payment. The next call of
 * settle_request_payment gets a success that no call has had.
 */
export const recordRequestOutcomes = /* @__PURE__ */ postgresFunction<{
  recorded: number
  toNotify: string[]
}>()(
  'record_request_outcomes',
  {
    ids: 'uuid[]',
    outcomes: 'text[]',
    slots: 'bigint[]',
    payersFaults: 'boolean[]',
    feeStep: 'bigint',
    now: 'timestamptz',
  },
  {
    recorded: 'integer',
    toNotify: 'text[]',
  },
)

/**
 * Records that a payment to an agent was refused for a reason that its owner can remove: at most once an
 * hour for each reason. Publishes it to the owner at most once in 24 hours, within the limit of
 * count_failure_event. A settled payment clears `first_at` (resolve_request_payments), so the next refusal
 * is the first again.
 */
export const recordRequestRefusal = /* @__PURE__ */ postgresFunction<{
  toNotify: string[]
}>()(
  'record_request_refusal',
  {
    agentId: 'uuid',
    reason: 'text',
    now: 'timestamptz',
  },
  {
    toNotify: 'text[]',
  },
)

/**
 * Records the results of a host's leased priced routes, and pauses the host until
 * `_free_at`. An outcome is `listed`, `busy` (the host asks to wait until `_busy_until`), `left` (not
 * probed), or the code of a finding. The first finding leaves a listed route in the catalog, except one of
 * `at_once`, but is stored. A route whose lease was taken away is skipped. Routes that wait for consent
 * become due when the host names their agent by another route. Paid routes are probed at each scheduled run,
 * others once a day.
 * due: looks at a scheduled run (its job run answers); catalog a minute later, if is_catalog_changed
 */
export const recordResources = /* @__PURE__ */ postgresFunction<{
  recorded: number
  isCatalogChanged: boolean
}>()(
  'record_resources',
  {
    host: 'text',
    lease: 'uuid',
    leaseEnd: 'timestamptz',
    agentIds: 'uuid[]',
    priceNames: 'text[]',
    urls: 'text[]',
    outcomes: 'text[]',
    documents: 'text[]',
    busyUntil: 'timestamptz[]',
    freeAt: 'timestamptz',
    nextScheduledRun: 'timestamptz',
    nextDaily: 'timestamptz',
    now: 'timestamptz',
  },
  {
    recorded: 'integer',
    isCatalogChanged: 'boolean',
  },
)

/**
 * Records a built stack, or (`_kind` open_vault) the opening of a vault. It replaces the owner's unsigned
 * one, which is deleted unless the relay signs it meanwhile: an owner has at most one. A stack that the
 * authority signs now (service_first) takes its share of the day's yield limits. It is rejected if the
 * owner has too many open stacks or positions, new stacks of its key version are stopped, or the limits
 * have no capacity. A stack that the owner signs first takes no share. Without tokens (`_address_hash`) it
 * counts per client address and hour.
 * due: settlement five seconds after the authority has signed a stack, positions a minute after
 */
export const recordStack = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'stacking_paused' | 'too_many_open_stacks' | 'positions_full' | 'yield_limit' | 'too_many_builds'
  capacity: Cred | null
}>()(
  'record_stack',
  {
    id: 'uuid',
    owner: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    lockDays: 'smallint?',
    apyBps: 'smallint?',
    stakedAt: 'timestamptz?',
    yield: 'bigint?',
    yieldDay: 'date',
    address: 'text',
    principal: 'bigint',
    perWallet: 'bigint',
    perDay: 'bigint',
    addressHash: 'text?',
    buildsPerAddress: 'integer',
    leaseEnd: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    capacity: 'bigint?',
  },
)

/**
 * Records that an escrow under a key version holds less than it owes, so nothing is funded under it any more.
 * `is_new` is false if that was known.
 */
export const recordTakenEscrow = /* @__PURE__ */ postgresFunction<{
  isNew: boolean
}>()(
  'record_taken_escrow',
  {
    keyVersion: 'smallint',
    authority: 'text',
    now: 'timestamptz',
  },
  {
    isNew: 'boolean',
  },
)

/**
 * Records a built unstack if its position is still open, or (`_kind` 'leftovers') the closing of a withdrawn
 * position's account. Any number of signed ones may be open, since only one can land. The unsigned one of
 * the same kind and position is deleted unless the relay signs it meanwhile.
 * due: settlement five seconds after the authority has signed it (service_first)
 */
export const recordWithdrawal = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'position_changed'
}>()(
  'record_withdrawal',
  {
    id: 'uuid',
    owner: 'text',
    kind: 'text',
    keyVersion: 'smallint',
    signing: 'text',
    transaction: 'text',
    message: 'text',
    lastValidBlockHeight: 'bigint',
    builtSlot: 'bigint',
    address: 'text',
    balance: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Redeems an authorization code: records the grant of its wallet to its client, and the event. A code that
 * is redeemed again ends its grant, because one of both callers may have stolen it. A revocation of the
 * wallet's sessions since the consent ends the code. Locks the wallet's row, so that neither a revocation nor
 * another grant of the wallet comes in between.
 */
export const redeemCode = /* @__PURE__ */ postgresFunction<{
  outcome: 'redeemed' | 'code_used' | 'consent_revoked'
  toNotify: string[]
}>()(
  'redeem_code',
  {
    id: 'uuid',
    wallet: 'text',
    epoch: 'integer',
    client: 'text',
    name: 'text',
    host: 'text?',
    permissions: 'text[]',
    spendLimit: 'bigint?',
    expiresAt: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Makes a wallet a pioneer: takes a spot, uses the invite code, and records the pioneer, its referrer's
 * bounty and counterparty, and the event. The lock of the code's row decides which wallet uses it. The lock
 * of the counter's row decides who gets the last spot, and by which code a wallet joins. All calls lock in
 * this order: code, counter, pioneer, dealings. `_code` is null for an invalid code; otherwise it is the
 * code as stored from now on. `_spots` is the number of all spots.
 */
export const redeemInvite = /* @__PURE__ */ postgresFunction<{
  outcome: 'joined' | 'already_registered' | 'invite_code_invalid' | 'no_spots_left'
  toNotify: string[]
}>()(
  'redeem_invite',
  {
    wallet: 'text',
    code: 'text?',
    codeHash: 'text?',
    referredBy: 'text?',
    spots: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Issues the next refresh token of a grant: advances its `sequence`. The token before the current one is
 * answered with the current one for a minute, so that several processes of a client can refresh at once. Any
 * other token was used twice, which ends the grant, because one of both callers may have stolen it. So does
 * another session epoch of the wallet. A token of another client changes nothing.
 */
export const refreshGrant = /* @__PURE__ */ postgresFunction<{
  outcome: 'refreshed' | 'repeated' | 'grant_ended'
  wallet: Wallet | null
  epoch: number | null
  sequence: number | null
  rotatedAt: Date | null
  permissions: GrantablePermission[] | null
  expiresAt: Date | null
}>()(
  'refresh_grant',
  {
    id: 'uuid',
    client: 'text',
    sequence: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    wallet: 'text?',
    epoch: 'integer?',
    sequence: 'integer?',
    rotatedAt: 'timestamptz?',
    permissions: 'text[]?',
    expiresAt: 'timestamptz?',
  },
)

/**
 * Registers an agent. It counts against the wallet's quotas of agents and of active agents, which CHECK
 * constraints of wallet_quotas limit, and against the client address, per hour. `webhook_secret` is the
 * encrypted secret of its webhook.
 * due: looks a minute later, if it names an endpoint
 */
export const registerAgent = /* @__PURE__ */ sessionFunction<{
  outcome: 'registered' | 'too_many_agents'
  toNotify: string[]
}>()(
  'register_agent',
  {
    agent: 'json',
    webhookSecret: 'text?',
    addressHash: 'text',
    agentsPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Enqueues a probe of a priced route that an agent's owner asks for, at once. A route that was never paid
 * for needs bought credit, because the probe goes to a host that only the owner has named. An owner may ask
 * `_probes_per_hour` times an hour. A listed route stays listed meanwhile.
 * due: looks at once
 */
export const requestResourceProbe = /* @__PURE__ */ sessionFunction<{
  outcome: 'enqueued' | 'agent_not_found' | 'agent_not_active' | 'no_endpoint' | 'price_not_found' | 'route_hidden' | 'no_credit' | 'asked_too_often'
}>()(
  'request_resource_probe',
  {
    agentId: 'uuid',
    owner: 'text',
    priceName: 'text',
    ownerHash: 'text',
    probesPerHour: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Enqueues a wallet's attestation for verification, unless it is queued or verified. A request is expedited
 * while fewer than `_expedited_places` expedited requests of the wallet are open, and its client address
 * has made fewer than `_expedited_per_address` today; otherwise it is normal. The lock of the wallet's row
 * in standings limits concurrent requests. The queue is ordered by the wallet's present weight as a payer;
 * asking again only updates that weight.
 */
export const requestVerification = /* @__PURE__ */ sessionFunction<{
  outcome: 'requested' | 'unchanged' | 'attestation_not_found' | 'attestation_not_yours'
}>()(
  'request_verification',
  {
    id: 'uuid',
    wallet: 'text',
    priority: 'text',
    expeditedPlaces: 'smallint',
    addressHash: 'text',
    expeditedPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Revokes a proof, once, if it is still the one read at `_slot`; it may have been revoked and proven again
 * since. The attestation is rejected, with its former level and expiry, and an event is published.
 */
export const revokeProof = /* @__PURE__ */ postgresFunction<{
  outcome: 'revoked' | 'another_proof'
  toNotify: string[]
}>()(
  'revoke_proof',
  {
    id: 'uuid',
    slot: 'bigint?',
    level: 'text',
    expiresAt: 'timestamptz?',
    reason: 'text',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Ends all existing sessions and grants of the session's wallet, including this session, by raising the
 * wallet's session epoch by one. If two sessions of one epoch call it concurrently, the second call does not
 * end sessions and grants that began in between. A wallet without a row is at 0.
 */
export const revokeSessions = /* @__PURE__ */ sessionFunction<{
  generation: number
}>()(
  'revoke_sessions',
  {
    now: 'timestamptz',
  },
  {
    generation: 'integer',
  },
)

/**
 * Gives a webhook endpoint of the wallet a new encrypted secret. The replaced one also signs until
 * `_ends_at`, and older ones end now. An agent's webhook may have no secret yet: `created`.
 */
export const rotateWebhookSecret = /* @__PURE__ */ sessionFunction<{
  outcome: 'rotated' | 'created' | 'endpoint_not_found'
}>()(
  'rotate_webhook_secret',
  {
    id: 'uuid',
    wallet: 'text',
    secret: 'text',
    endsAt: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Sets the terms under which an agent is sent jobs, for its owner. Without terms, it is sent none any more.
 * Orders that are open stay.
 */
export const setJobTerms = /* @__PURE__ */ sessionFunction<{
  outcome: 'recorded' | 'agent_not_found' | 'own_judge'
}>()(
  'set_job_terms',
  {
    agentId: 'uuid',
    owner: 'text',
    minPrice: 'bigint?',
    workMinutes: 'integer?',
    judges: 'text[]?',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Replaces all prices of an agent of the wallet. A superseded price is accepted for ten more minutes, since
 * clients have received it. At most 200 superseded prices are accepted: a change that would make more is
 * rejected until some have ended. A change with a new price counts per client address and hour. The agent
 * shows the number of its prices, and the lowest one whose asset is `_cred`, the mint of CRED.
 * due: looks at probe_at, if a route is priced again; catalog a minute later, if is_catalog_changed
 */
export const setRequestPrices = /* @__PURE__ */ sessionFunction<{
  outcome: 'set' | 'agent_not_found' | 'changed_too_often' | 'address_changes_too_often'
  isCatalogChanged: boolean
  probeAt: Date | null
}>()(
  'set_request_prices',
  {
    agentId: 'uuid',
    owner: 'text',
    names: 'text[]',
    assets: 'text[]',
    amounts: 'bigint[]',
    cred: 'text',
    addressHash: 'text',
    changesPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    isCatalogChanged: 'boolean',
    probeAt: 'timestamptz?',
  },
)

/**
 * Records the charges of held hires that a landed collection has paid, by an operator's decision: all of
 * them or none. The charges of a hire sum up to at most the amount collected from its budget account.
 */
export const settleHeld = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'not_held' | 'too_much'
  toNotify: string[]
}>()(
  'settle_held',
  {
    id: 'uuid',
    charges: 'uuid[]',
    feeStep: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    toNotify: 'text[]',
  },
)

/**
 * Settles the deadline of one job that an act found `due`: moves it by the outages, or ends the job by the
 * default. The caller has the outages from the Clock, up to `_now`. Concurrent calls settle it once.
 * due: deadlines at due_at
 */
export const settleJob = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'extended' | 'not_due'
  dueAt: Date | null
  toNotify: string[]
}>()(
  'settle_job',
  {
    id: 'uuid',
    gapsFrom: 'timestamptz[]',
    gapsUntil: 'timestamptz[]',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    dueAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Records the outcomes on the chain (`landed`, `expired` or `failed`) of built transactions of payments,
 * each once, and publishes their events. Bought credit is added to credits. The four lists have an entry
 * for each transaction. A transaction is settled only if it is open and still has the signature and last
 * block of the check (an empty signature while unsigned). The charges of a collection that has not landed
 * are due again. A transaction of jobs that was over has landed if it is found later. A call has outcomes of
 * jobs or of others, since both lock quotas.
 */
export const settlePayments = /* @__PURE__ */ postgresFunction<{
  toNotify: string[]
}>()(
  'settle_payments',
  {
    ids: 'uuid[]',
    networkSignatures: 'text[]',
    lastValidBlockHeights: 'bigint[]',
    outcomes: 'text[]',
    feeStep: 'bigint',
    now: 'timestamptz',
  },
  {
    toNotify: 'text[]',
  },
)

/**
 * Records a payment for a request before it is sent, and reserves the debit of the owner's credit, the
 * day's share of network fees, and the payer's funds. For a recorded payment it returns what this call may
 * do. The first call leases the payment; later calls wait for it one at a time. Only one call, ever, gets
 * `settled` and answers success. Calls of one payer are serialized, then calls for one owner. A recorded
 * payment is always sent with the same bytes: `transaction` and `network_signature`. `_fee` is its weight
 * after settlement, in CRED's smallest units; null for another asset, which has no weight. Publishes that
 * the owner's credit is low, once after each purchase. Of the payments with one identifier of a payer at an
 * agent, one is recorded within 30 days, unless it fails or expires: another gets `identifier_used`, with
 * the network signature of the first. With `settled`, the payment counts for the route of its price, which is
 * enqueued for a probe if the server declared it (`_is_declared`) and it is new.
 * due: settlement 90 seconds after the payment is recorded; looks at probe_at, if a new route was enqueued
 */
export const settleRequestPayment = /* @__PURE__ */ postgresFunction<{
  outcome: 'recorded' | 'resumed' | 'settled' | 'duplicate' | 'failed' | 'expired' | 'agent_not_active' | 'key_ended' | 'identifier_used' | 'not_a_price' | 'payer_barred' | 'too_many_in_flight' | 'not_payable' | 'funds_reserved' | 'credit_exhausted' | 'owners_day_exhausted' | 'day_exhausted'
  id: string | null
  transaction: string | null
  networkSignature: string | null
  lastValidBlockHeight: bigint | null
  routeState: string | null
  routeCode: string | null
  probeAt: Date | null
  toNotify: string[]
}>()(
  'settle_request_payment',
  {
    keyVersion: 'integer',
    id: 'uuid',
    agentId: 'uuid',
    payer: 'text',
    source: 'text',
    asset: 'text',
    amount: 'bigint',
    priceName: 'text?',
    identifierHash: 'text?',
    messageHash: 'text',
    transaction: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: 'bigint',
    networkFee: 'bigint',
    debit: 'bigint',
    fee: 'bigint?',
    balance: 'bigint?',
    balanceSlot: 'bigint',
    feesPerDay: 'bigint',
    lease: 'uuid',
    leasedUntil: 'timestamptz',
    isDeclared: 'boolean',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    id: 'uuid?',
    transaction: 'text?',
    networkSignature: 'text?',
    lastValidBlockHeight: 'bigint?',
    routeState: 'text?',
    routeCode: 'text?',
    probeAt: 'timestamptz?',
    toNotify: 'text[]',
  },
)

/**
 * Settles the suspicion that a position was withdrawn before its time, by a finalized read of the chain. If
 * the read confirms it, the breaker stops new stakes of the position's key version. Otherwise the position
 * is open again with the balance that was read, unless a state was recorded for a later slot.
 */
export const settleSuspectedPayout = /* @__PURE__ */ postgresFunction<{
  outcome: 'settled' | 'superseded'
}>()(
  'settle_suspected_payout',
  {
    owner: 'text',
    address: 'text',
    isConfirmed: 'boolean',
    balance: 'bigint',
    slot: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Takes payments for requests to check with the network, longest due first. It postpones each: by a minute,
 * or by its age if that is more. From six hours on it waits for the daily job, as exponential backoff does
 * (lib/transactions/confirmation/check-schedule.ts).
 * due: settlement when each is asked about next (its job run answers)
 */
export const takeDueRequestPayments = /* @__PURE__ */ postgresFunction<{
  id: string
  transaction: string
  networkSignature: string
  lastValidBlockHeight: bigint
  createdAt: Date
}>()(
  'take_due_request_payments',
  {
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    id: 'uuid',
    transaction: 'text',
    networkSignature: 'text',
    lastValidBlockHeight: 'bigint',
    createdAt: 'timestamptz',
  },
)

/**
 * Leases the check of signed stacks of any owners on the chain: stacks that use yield limits and may have
 * expired (signed at `_signed_by` or before). Takes up to `_limit`, the largest yields first, and skips
 * owners checked since `_asked_by`. Marks these owners as checked at `_now`, by which the caller finds the
 * stacks. One caller in two seconds gets the lease (`busy`: the last lease ends after `_lease_end`), and
 * continues with `_has_lease`. Skips owners whose rows are locked, so that nothing waits.
 */
export const takeDueStacks = /* @__PURE__ */ postgresFunction<{
  outcome: 'taken' | 'nothing_due' | 'busy'
}>()(
  'take_due_stacks',
  {
    day: 'date',
    hasLease: 'boolean',
    leaseEnd: 'timestamptz',
    signedBy: 'timestamptz',
    askedBy: 'timestamptz',
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Takes up to `_limit` hires with due charges to check on the chain, longest due first: their hirers may
 * have funded them outside the relay. The next check comes when the oldest due charge is four times as old,
 * after two hours with the daily job. So charges on hires that nobody funds cause fewer and fewer checks. A
 * hire with a recorded budget account, or without a collectable charge, leaves the queue until the next
 * charge.
 */
export const takeUndiscoveredBudgets = /* @__PURE__ */ postgresFunction<{
  hireId: string
  hirer: Wallet
  owner: Wallet
  budgetNumber: number
}>()(
  'take_undiscovered_budgets',
  {
    now: 'timestamptz',
    limit: 'integer',
  },
  {
    hireId: 'uuid',
    hirer: 'text',
    owner: 'text',
    budgetNumber: 'integer',
  },
)

/**
 * Records a test event for a webhook endpoint of the wallet and enqueues it, unless the endpoint is
 * disabled or the wallet requested a test since `_tested_before`. Concurrent calls of a wallet record one.
 * A receiver that failed to answer its request for a proof is asked again at once.
 * It counts per client address and hour; concurrent tests may each count.
 */
export const testWebhookEndpoint = /* @__PURE__ */ sessionFunction<{
  outcome: 'sent' | 'endpoint_not_found' | 'webhook_disabled' | 'tested_too_soon' | 'address_too_often'
  eventId: string | null
}>()(
  'test_webhook_endpoint',
  {
    endpointId: 'uuid',
    wallet: 'text',
    testedBefore: 'timestamptz',
    addressHash: 'text',
    webhooksPerAddress: 'integer',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    eventId: 'uuid?',
  },
)

/**
 * Gives up the excess of webhook endpoints with too many pending deliveries, even of disabled ones: the
 * deliveries that are due first, which are the oldest. Disables these endpoints and publishes that to
 * their owners. Of rank 0 it leaves a smaller number without disabling the endpoint, since others create
 * these at no cost. Reads each new delivery once (`looked_until`), so any time may pass between calls. A
 * call reads a limited number, up to a time before which all transactions have ended. It checks the
 * endpoints with the most of them. `is_last`: nothing is left to read or to give up; otherwise another
 * call continues. `trimmed`: the number of these endpoints.
 */
export const trimBacklogs = /* @__PURE__ */ postgresFunction<{
  trimmed: number
  givenUp: number
  toNotify: string[]
  isLast: boolean
}>()(
  'trim_backlogs',
  {
    limits: 'json',
    now: 'timestamptz',
  },
  {
    trimmed: 'integer',
    givenUp: 'integer',
    toNotify: 'text[]',
    isLast: 'boolean',
  },
)

/**
 * Deletes the search words and the listings by layer of idle agents. An idle agent was not registered,
 * hired or paid in the last 30 days. Its owner has not logged in since and is not verified, by a valid
 * attestation that a third party or the chain has verified. Reads up to `_limit` agents whose
 * `listed_until` has passed, oldest first, and gives agents that are not idle a later date. Skips agents
 * and wallets that another transaction has locked.
 */
export const unlistIdleAgents = /* @__PURE__ */ postgresFunction<{
  checked: number
  unlisted: number
}>()(
  'unlist_idle_agents',
  {
    limit: 'integer',
    now: 'timestamptz',
  },
  {
    checked: 'integer',
    unlisted: 'integer',
  },
)

/**
 * Lets a grant's key get an access token: spends the nonce of the assertion that the key signed. Locks the
 * grant. Another session epoch of the wallet ends the grant. A key of another grant changes nothing.
 * `last_used_at` changes once an hour at most, since an index has it.
 */
export const useKey = /* @__PURE__ */ postgresFunction<{
  outcome: 'issued' | 'nonce_spent' | 'grant_ended'
  wallet: Wallet | null
  epoch: number | null
  permissions: GrantablePermission[] | null
  expiresAt: Date | null
}>()(
  'use_key',
  {
    id: 'uuid',
    publicKey: 'text',
    nonce: 'text',
    nonceExpiresAt: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    wallet: 'text?',
    epoch: 'integer?',
    permissions: 'text[]?',
    expiresAt: 'timestamptz?',
  },
)

/**
 * Returns what settle_request_payment would return for a payment now, and reserves nothing. `resumable`:
 * the payment is recorded, and no call has had its success.
 */
export const verifyRequestPayment = /* @__PURE__ */ postgresFunction<{
  outcome: 'valid' | 'resumable' | 'duplicate' | 'failed' | 'expired' | 'agent_not_active' | 'key_ended' | 'identifier_used' | 'not_a_price' | 'payer_barred' | 'too_many_in_flight' | 'not_payable' | 'funds_reserved' | 'credit_exhausted' | 'owners_day_exhausted' | 'day_exhausted'
}>()(
  'verify_request_payment',
  {
    keyVersion: 'integer',
    agentId: 'uuid',
    payer: 'text',
    source: 'text',
    asset: 'text',
    amount: 'bigint',
    identifierHash: 'text?',
    messageHash: 'text',
    networkFee: 'bigint',
    debit: 'bigint',
    balance: 'bigint?',
    balanceSlot: 'bigint',
    feesPerDay: 'bigint',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
  },
)

/**
 * Voids a charge of one of the owner's agents if it is only recorded, and returns its amount to its period.
 * First ends a collection of it that the service had not cosigned by its deadline (built at `_built_by` or
 * before). Also returns the charge's former state; a charge that was voided before stays so.
 */
export const voidCharge = /* @__PURE__ */ sessionFunction<{
  outcome: 'voided' | 'charge_not_found' | 'not_voidable'
  chargeState: ChargeState | null
  toNotify: string[]
}>()(
  'void_charge',
  {
    id: 'uuid',
    owner: 'text',
    builtBy: 'timestamptz',
    now: 'timestamptz',
  },
  {
    outcome: 'text',
    chargeState: 'text?',
    toNotify: 'text[]',
  },
)
