/** The closed sets of values of the contract (interface section 2), shared by tables and wire schemas. */
export const agentTypes = ['autonomous', 'semi-autonomous', 'oracle'] as const
export const feeModels = ['percentage', 'flat', 'hybrid'] as const
export const agentStatuses = ['active', 'inactive', 'suspended'] as const
export const hireStatuses = ['active', 'expired', 'terminated'] as const
/** Why a hire with autoRenew expired: it was renewed three times in a row without use. */
export const expiryReasons = ['unused'] as const
/** `completed`: reached the end of its first term. `cut_short`: was terminated before that. */
export const hireOutcomes = ['completed', 'cut_short'] as const
/**
 * `hirer`: the other's hire of one of the wallet's agents ran its first term. `counterparty`: that, the other
 * way round, or the wallet brought the other as a pioneer.
 */
export const dealingKinds = ['hirer', 'counterparty'] as const
/** Who is paid: one agent, or its owner for all of its agents. */
export const payeeKinds = ['agent', 'owner'] as const

/**
 * What an agent's apiEndpoint speaks: MCP over streamable HTTP, A2A 1.0 by JSON-RPC or by HTTP+JSON;
 * `openapi`: its URL leads to an OpenAPI document; `http`: anything else.
 */
export const apiProtocols = ['mcp', 'a2a-jsonrpc', 'a2a-http', 'openapi', 'http'] as const

/** What can be found by words: a marketplace agent (its id), an entry of the signed registry (its key). */
export const documentKinds = ['agent', 'registered'] as const

export type DocumentKind = (typeof documentKinds)[number]

/** `down`: its last two looks failed, or more. `unknown`: not looked at yet, or not any more. */
export const agentEndpointStatuses = ['unknown', 'live', 'down'] as const
/**
 * What the agent card of an endpoint's own host is worth: `verified` by a key of the card's own origin,
 * `signed` by any other key, `unsigned`, or none there.
 */
export const cardStatuses = ['none', 'unsigned', 'signed', 'verified'] as const

export type AgentEndpointStatus = (typeof agentEndpointStatuses)[number]
export type CardStatus = (typeof cardStatuses)[number]

/** Where hosts wait to be looked at. */
export const hostQueues = ['first', 'live', 'live_slow', 'dead', 'dead_slow'] as const
export type HostQueue = (typeof hostQueues)[number]
export type ApiProtocol = (typeof apiProtocols)[number]
/** The orders of GET /agents. */
export const agentSorts = ['reputation', 'newest'] as const
export type AgentSort = (typeof agentSorts)[number]

export type AgentType = (typeof agentTypes)[number]
export type FeeModel = (typeof feeModels)[number]
export type AgentStatus = (typeof agentStatuses)[number]
export type HireStatus = (typeof hireStatuses)[number]
export type HireOutcome = (typeof hireOutcomes)[number]

/** `void`: was counted, but never was in escrow: its vault has other signers than the service's. */
export const positionStatuses = ['open', 'withdrawn', 'void'] as const
/**
 * `leftovers` closes the account that a withdrawal has left open; `open_vault` makes the owner's vault,
 * before a first stack that would otherwise be too large for what wallets add.
 */
export const intentKinds = ['stack', 'claim', 'unstack', 'leftovers', 'open_vault'] as const
/**
 * Who signs first. `service_first`: the authority has signed what the caller gets. `wallet_first`: the wallet
 * signs, and may change what the check of lib/transactions/cosigning lets pass; the relay cosigns that, once.
 */
export const signings = ['service_first', 'wallet_first'] as const
/**
 * `landed`: its effect stands on the chain. `expired`: it has had no effect and can no longer have one.
 * `failed`: what its owner did on the chain rules it out.
 */
export const intentStatuses = ['open', 'landed', 'expired', 'failed'] as const
/**
 * Why an intent has failed. `vault_foreign`: the vault's address holds another account. `position_foreign`:
 * something else stands at the position's address, or holds less than was due. `left_before_seen`: the stack
 * landed, and its owner had withdrawn it with the recovery key before the service saw it. `unproven`: no node
 * could show within a day whether the stack had landed.
 */
export const intentFailures = ['vault_foreign', 'position_foreign', 'left_before_seen', 'unproven'] as const
/**
 * How far it is known that more was paid out of a position than had accrued, which takes the recovery key:
 * `seen` once, `confirmed` by a finalized read; `announced` by an operator, so that it stops nothing.
 */
export const earlyPayouts = ['seen', 'confirmed', 'announced'] as const
export type Signing = (typeof signings)[number]
export type IntentFailure = (typeof intentFailures)[number]
export type PositionStatus = (typeof positionStatuses)[number]

/** How many attestations a wallet may record on one day, in UTC: the table has a check of it. */
export const ATTESTATIONS_PER_DAY = 100
/** How many charges a wallet may record on one day, in UTC, for all of its agents: likewise. */
export const CHARGES_PER_DAY = 10_000
/** How many unpaid charges of a wallet's agents may stand beyond as many as were ever paid: likewise. */
export const UNPAID_CHARGES = 1_000
/** Marketplace agents of a wallet, of any status. */
export const AGENTS_PER_WALLET = 1_000
/** The active ones of them. */
export const ACTIVE_AGENTS_PER_WALLET = 200

/** How many hires a wallet may begin on one day, in UTC: likewise. */
export const HIRES_PER_DAY = 1_000
/** How many active hires a wallet may have: likewise. */
export const ACTIVE_HIRES_PER_WALLET = 1_000

/**
 * Lamports: the most that a charge, and the charges of a period, may come to. It is also the largest budget
 * that a hire can have, so that a hire without one is bounded, too.
 */
export const MAX_CHARGED = BigInt(Number.MAX_SAFE_INTEGER)

/** How many prices an agent may have for requests. */
export const MOST_REQUEST_PRICES = 50

/** How a payment for a request ends: `failed` on the chain, at a fee; `expired` without landing. */
export const requestPaymentStatuses = ['pending', 'settled', 'failed', 'expired'] as const
/** From which side such a payment is looked at: who is paid, or who pays. */
export const requestPaymentRoles = ['owner', 'payer'] as const
export type RequestPaymentRole = (typeof requestPaymentRoles)[number]

export const chargeStatuses = ['recorded', 'voided', 'collected'] as const
/** What its two sides see: of the recorded ones also `collecting` and `lapsed`. */
export const chargeStates = ['recorded', 'collecting', 'collected', 'voided', 'lapsed'] as const
export type ChargeStatus = (typeof chargeStatuses)[number]
export type ChargeState = (typeof chargeStates)[number]
/** From which side a charge is looked at: who is paid, or who pays. */
export const chargeRoles = ['owner', 'hirer'] as const
export type ChargeRole = (typeof chargeRoles)[number]

/** What a session may do. The last two are for configured wallets, the others every wallet's. */
export const permissions = [
  'agents:register',
  'agents:hire',
  'agents:charge',
  'vault:transact',
  'reputation:attest',
  'reputation:verify',
  'oracle:decide',
  'agents:moderate',
] as const
export type Permission = (typeof permissions)[number]
/**
 * What a wallet signs for payments: `open_collector` makes the collector of an agents' owner, `fund_budget`
 * opens or tops up a hire's budget account, `withdraw_budget` empties it, `collect` pays charges out of such
 * accounts, `buy_credit` buys credit for payments to a wallet's agents.
 */
export const paymentKinds = [
  'open_collector',
  'fund_budget',
  'withdraw_budget',
  'collect',
  'buy_credit',
] as const
/** Why a transaction of payments has failed. `failed_on_chain`: the network ran it, and it had no effect. */
export const paymentFailures = ['failed_on_chain'] as const
/** What is at a budget account's address. */
export const budgetStates = ['open', 'absent', 'frozen', 'foreign'] as const
/** What is at a collector's address. */
export const collectorStates = ['open', 'absent', 'foreign'] as const
export type PaymentKind = (typeof paymentKinds)[number]

/** Weakest first. */
export const verificationLevels = [
  'self_attested',
  'document_submitted',
  'third_party_verified',
  'on_chain_proven',
] as const
export const verificationStatuses = ['pending', 'in_review', 'verified', 'rejected'] as const
/** In alphabetical order, which is the order in which the queue takes them. */
export const verificationPriorities = ['expedited', 'normal'] as const
/** Earliest cohort first. */
export const pioneerTiers = ['founding', 'early', 'genesis'] as const
export type PioneerTier = (typeof pioneerTiers)[number]

export const reputationTiers = ['Unverified', 'Basic', 'Verified', 'Trusted', 'Power', 'Elite'] as const

export type VerificationLevel = (typeof verificationLevels)[number]
export type VerificationPriority = (typeof verificationPriorities)[number]
export type ReputationTier = (typeof reputationTiers)[number]

/** `failed`: given up after the last attempt, or since its endpoint was deleted. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
/** What its owner sees. `held`: pending, but its endpoint is disabled, or its agent has no webhook. */
export const deliveryStates = [...deliveryStatuses, 'held'] as const
export const deliveryFailures = ['timeout', 'unreachable', 'url_refused'] as const

/** `wallet`: made by POST /events/endpoints. `agent`: the webhookUrl of an agent, under the agent's id. */
export const webhookEndpointKinds = ['wallet', 'agent'] as const
/** What is known of the receiver at an endpoint's URL: nothing, that it answers 2xx, or that it consents. */
export const webhookProofs = ['new', 'unconfirmed', 'proven'] as const
/** What a receiver answered in place of the proof: nothing, the challenge itself, or something else. */
export const unconfirmedReasons = ['empty_body', 'challenge_returned', 'other_body'] as const
/**
 * Why nothing is sent to an endpoint: its owner has paused it, it answered 410 or nothing with 2xx for
 * days, or too many deliveries waited for it.
 */
export const disabledReasons = ['paused', 'gone', 'failing', 'full'] as const

export type DeliveryState = (typeof deliveryStates)[number]
export type DeliveryFailure = (typeof deliveryFailures)[number]
export type WebhookEndpointKind = (typeof webhookEndpointKinds)[number]
export type WebhookProof = (typeof webhookProofs)[number]
export type UnconfirmedReason = (typeof unconfirmedReasons)[number]
