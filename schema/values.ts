/** The closed sets of values of the API, shared by tables and wire schemas. */
export const agentTypes = ['autonomous', 'semi-autonomous', 'oracle'] as const
export const feeModels = ['percentage', 'flat', 'hybrid'] as const
export const agentStatuses = ['active', 'inactive', 'suspended'] as const
export const hireStatuses = ['active', 'expired', 'terminated'] as const
/** The reason why a hire with autoRenew expired: it was renewed three times in a row without use. */
export const expiryReasons = ['unused'] as const
/** `completed`: it reached the end of its first term. `cut_short`: it was terminated before that. */
export const hireOutcomes = ['completed', 'cut_short'] as const
/**
 * The kinds of counterparties. `hirer`: the other wallet's hire of the wallet's agent ran its first term.
 * `counterparty`: the wallet's hire of the other's agent did, or the wallet referred the other as a pioneer.
 */
export const counterpartyKinds = ['hirer', 'counterparty'] as const
/** The payee: one agent, or its owner for all of its agents. */
export const payeeKinds = ['agent', 'owner'] as const

/**
 * The protocol of an agent's apiEndpoint: MCP over streamable HTTP, A2A 1.0 by JSON-RPC or by HTTP+JSON;
 * `openapi`: its URL is an OpenAPI document's; `http`: anything else.
 */
export const apiProtocols = ['mcp', 'a2a-jsonrpc', 'a2a-http', 'openapi', 'http'] as const

/**
 * The kinds of searchable documents: a marketplace agent (its id), an entry of the signed registry (its key).
 */
export const documentKinds = ['agent', 'registered'] as const

export type DocumentKind = (typeof documentKinds)[number]

/** `down`: its last two probes or more failed. `unknown`: not probed yet, or no longer probed. */
export const agentEndpointStatuses = ['unknown', 'live', 'down'] as const
/**
 * The signature of the agent card at an endpoint's own host. `verified`: by a key of the card's origin.
 * `signed`: by any other key. `none`: there is no card.
 */
export const cardStatuses = ['none', 'unsigned', 'signed', 'verified'] as const

export type AgentEndpointStatus = (typeof agentEndpointStatuses)[number]
export type CardStatus = (typeof cardStatuses)[number]

/** The queues of hosts to probe. */
export const hostQueues = ['first', 'live', 'live_slow', 'dead', 'dead_slow'] as const
export type HostQueue = (typeof hostQueues)[number]
export type ApiProtocol = (typeof apiProtocols)[number]
/** The orders of GET /agents. */
/** The most agents that are counted of a list. */
export const MAX_COUNTED_AGENTS = 1_000
export const agentSorts = ['reputation', 'newest', 'rating', 'hires', 'price'] as const
export type AgentSort = (typeof agentSorts)[number]

export type AgentType = (typeof agentTypes)[number]
export type FeeModel = (typeof feeModels)[number]
export type AgentStatus = (typeof agentStatuses)[number]
export type HireStatus = (typeof hireStatuses)[number]
export type HireOutcome = (typeof hireOutcomes)[number]

/** `void`: it was counted, but was never in escrow, since its vault has other signers than the service's. */
export const positionStatuses = ['open', 'withdrawn', 'void'] as const
/**
 * The kinds of vault transactions. `leftovers` closes an account that a withdrawal left open. `open_vault`
 * makes the owner's vault, if the first stack would otherwise be too large for the instructions that wallets
 * add.
 */
export const intentKinds = ['stack', 'claim', 'unstack', 'leftovers', 'open_vault'] as const
/**
 * The order of signing. `service_first`: the authority signs before the caller gets the transaction.
 * `wallet_first`: the wallet signs first, and may make the changes that lib/transactions/cosigning allows.
 * The relay cosigns the result, once.
 */
export const signings = ['service_first', 'wallet_first'] as const
/**
 * `landed`: it took effect on the chain. `expired`: it had no effect and can't have one any more. `failed`:
 * an action of its owner on the chain excludes it.
 */
export const intentStatuses = ['open', 'landed', 'expired', 'failed'] as const
/**
 * The reasons of a failed intent. `vault_foreign`: another account is at the vault's address.
 * `position_foreign`: another account is at the position's address, or it has too little. `left_before_seen`:
 * the stack landed, and its owner withdrew it with the recovery key before the service saw it. `unproven`:
 * within a day no node could show whether the stack landed.
 */
export const intentFailures = ['vault_foreign', 'position_foreign', 'left_before_seen', 'unproven'] as const
/**
 * The evidence of a payout beyond the accrued yield, which needs the recovery key. `seen`: once. `confirmed`:
 * by a finalized read. `announced`: by an operator beforehand, so it stops nothing.
 */
export const prematurePayouts = ['seen', 'confirmed', 'announced'] as const
export type Signing = (typeof signings)[number]
export type IntentFailure = (typeof intentFailures)[number]
export type PositionStatus = (typeof positionStatuses)[number]

/** The most attestations that a wallet may record on one day, in UTC. A check of the table enforces it. */
export const ATTESTATIONS_PER_DAY = 100
/** The most charges that a wallet may record on one day, in UTC, for all of its agents; enforced likewise. */
export const CHARGES_PER_DAY = 10_000
/** The most unpaid charges of a wallet's agents beyond the number of paid ones; enforced likewise. */
export const UNPAID_CHARGES = 1_000
/** The most marketplace agents of a wallet, of any status. */
export const AGENTS_PER_WALLET = 1_000
/** The most active agents of a wallet. */
export const ACTIVE_AGENTS_PER_WALLET = 200

/** The most hires that a wallet may begin on one day, in UTC; enforced likewise. */
export const HIRES_PER_DAY = 1_000
/** The most active hires of a wallet; enforced likewise. */
export const ACTIVE_HIRES_PER_WALLET = 1_000

/**
 * The limit in lamports of a charge, and of the charges of a period. It is also the largest budget of a hire,
 * so a hire without a budget is limited, too.
 */
export const MAX_CHARGED = BigInt(Number.MAX_SAFE_INTEGER)

/** The most prices of an agent for requests. */
export const MAX_REQUEST_PRICES = 50

/** The states of a payment for a request. `failed`: on the chain, at a fee; `expired`: it did not land. */
export const requestPaymentStatuses = ['pending', 'settled', 'failed', 'expired'] as const
/** The sides of such a payment: the agent's owner, or the payer. */
export const requestPaymentRoles = ['owner', 'payer'] as const
export type RequestPaymentRole = (typeof requestPaymentRoles)[number]
/** The reasons to refuse payments to an agent that its owner can remove, with their meaning for the owner. */
export const requestRefusals = {
  no_credit: 'your credit is less than the fee of a payment',
  day_used_up: 'your share of the day’s network fees',
  service_day_used_up: 'the service’s network fees of the day',
  no_token_account: 'your wallet can’t receive the token',
  not_active: 'the agent',
  former_key: 'your server uses a key that a newer one has ended',
  not_a_price: 'your server asks for another amount or token',
  stale_fee_payer: 'your server names a former fee payer: restart it',
  wrong_accepts: 'your server’s requirements differ from `accepts` in another member',
} as const
export type RequestRefusalReason = keyof typeof requestRefusals
export const requestRefusalReasons = Object.keys(requestRefusals) as [
  RequestRefusalReason,
  ...RequestRefusalReason[],
]
/** The states of a priced route: not probed yet, in the catalog, or not in it for the reason of its code. */
export const requestResourceStates = ['pending', 'listed', 'rejected'] as const
export type RequestResourceState = (typeof requestResourceStates)[number]
/** The states that its owner sees: `unpaid` was neither paid for nor probed. */
export const listedRouteStates = ['unpaid', ...requestResourceStates] as const
/** The reasons why a priced route is not in the catalog: of its price and agent, then findings of probes. */
export const requestResourceCodes = [
  'price_not_a_route',
  'price_ended',
  'no_endpoint',
  'not_active',
  'hidden',
  'not_named',
  'not_402',
  'no_header',
  'not_declared',
  'names_another',
  'price_differs',
  'too_large',
  'unsafe_text',
  'opted_out',
  'down',
] as const
export type RequestResourceCode = (typeof requestResourceCodes)[number]
/** What an owner lacks to be paid for requests to an agent. */
export const sellingNeeds = ['key', 'credit', 'token_account', 'endpoint'] as const
export type SellingNeed = (typeof sellingNeeds)[number]

/** The stored states of a charge: those of the column, of events and of list filters. */
export const chargeStatuses = ['recorded', 'voided', 'collected'] as const
/**
 * The states that answers show to both sides. A charge that is stored as `recorded` may be `collecting`,
 * while a collection has it, or `lapsed`, some time after its hire ended.
 */
export const chargeStates = ['recorded', 'collecting', 'collected', 'voided', 'lapsed'] as const
export type ChargeStatus = (typeof chargeStatuses)[number]
export type ChargeState = (typeof chargeStates)[number]
/** The sides of a charge: the agent's owner, or the hirer. */
export const chargeRoles = ['owner', 'hirer'] as const
export type ChargeRole = (typeof chargeRoles)[number]
/** What an agent is paid for: charges on its hires, or single requests. */
export const paidKinds = ['charge', 'request', 'job'] as const
export type PaidKind = (typeof paidKinds)[number]
/** Of a wallet's totals: the number of months, the most sums of agents, the most unpaid charges summed up. */
export const TOTALS_MONTHS = 12
export const TOTALS_AGENTS = 100
export const MAX_SUMMED_CHARGES = 5_000

/** The permissions of a session. The last two are for configured wallets, the others for every wallet. */
export const permissions = [
  'agents:register',
  'agents:hire',
  'agents:charge',
  'vault:transact',
  'jobs:use',
  'jobs:decide',
  'jobs:judge',
  'reputation:attest',
  'reputation:verify',
  'oracle:decide',
  'agents:moderate',
] as const
export type Permission = (typeof permissions)[number]
/** The permissions that a wallet can grant to a client. Reading needs a token only. */
export const grantablePermissions = [
  'agents:hire',
  'agents:charge',
  'jobs:use',
  'jobs:decide',
  'vault:transact',
] as const
export type GrantablePermission = (typeof grantablePermissions)[number]
/**
 * The kinds of grants. `app`: a client that redeemed an authorization code. `key`: an agent with a key.
 * `token`: a token that its owner copied.
 */
export const grantKinds = ['app', 'key', 'token'] as const
/** The kinds of payment transactions of jobs that the service signs, too. */
export const jobPaymentKinds = ['fund_job', 'refund_job', 'collect_jobs'] as const
/**
 * The kinds of payment transactions. `open_collector` makes an owner's payout account. `fund_budget` opens or
 * tops up a hire's budget account, and `withdraw_budget` empties it. `collect` pays charges from budget
 * accounts. `buy_credit` buys credit for payments to a wallet's agents. `open_refund` makes a hirer's refund
 * account, which owns the escrows of its jobs. `fund_job` pays a job's price into its escrow. `refund_job`
 * pays the hirer back from one, and `collect_jobs` the agents' owner from several. `close_escrows` closes
 * empty escrows.
 */
export const paymentKinds = [
  'open_collector',
  'fund_budget',
  'withdraw_budget',
  'collect',
  'buy_credit',
  ...jobPaymentKinds,
  'open_refund',
  'close_escrows',
] as const
/** The reasons of a failed payment transaction. `failed_on_chain`: the network ran it without effect. */
export const paymentFailures = ['failed_on_chain'] as const
/** The states of a budget account's address. */
export const budgetStates = ['open', 'absent', 'frozen', 'foreign'] as const
/** The states of a payout account's address. */
export const collectorStates = ['open', 'absent', 'foreign'] as const
export type PaymentKind = (typeof paymentKinds)[number]
export type JobPaymentKind = (typeof jobPaymentKinds)[number]

/** The weakest first. */
export const verificationLevels = [
  'self_attested',
  'document_submitted',
  'third_party_verified',
  'on_chain_proven',
] as const
export const verificationStatuses = ['pending', 'in_review', 'verified', 'rejected'] as const
/** In alphabetical order, which is the order of the queue. */
export const verificationPriorities = ['expedited', 'normal'] as const
/** The earliest cohort first. */
export const pioneerTiers = ['founding', 'early', 'genesis'] as const
export type PioneerTier = (typeof pioneerTiers)[number]

export const reputationTiers = ['Unverified', 'Basic', 'Verified', 'Trusted', 'Power', 'Elite'] as const

export type VerificationLevel = (typeof verificationLevels)[number]
export type VerificationPriority = (typeof verificationPriorities)[number]
export type ReputationTier = (typeof reputationTiers)[number]

/** `failed`: the last attempt failed, or its endpoint was deleted. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
/**
 * The states that its owner sees. `held`: pending, but its endpoint is disabled, or its agent has no webhook.
 */
export const deliveryStates = [...deliveryStatuses, 'held'] as const
export const deliveryFailures = ['timeout', 'unreachable', 'url_refused'] as const

/** `wallet`: made by POST /events/endpoints. `agent`: the webhookUrl of an agent, under the agent's id. */
export const webhookEndpointKinds = ['wallet', 'agent'] as const
/** The proof of the receiver at an endpoint's URL: none, an answer with 2xx, or consent. */
export const webhookProofs = ['new', 'unconfirmed', 'proven'] as const
/** A receiver's wrong answer instead of the proof: nothing, the challenge itself, or something else. */
export const unconfirmedReasons = ['empty_body', 'challenge_returned', 'other_body'] as const
/**
 * The reasons why nothing is sent to an endpoint. It is paused, it answered 410, or it did not answer with
 * 2xx for days, or too many deliveries waited for it.
 */
export const disabledReasons = ['paused', 'gone', 'failing', 'full'] as const

export type DeliveryState = (typeof deliveryStates)[number]
export type DeliveryFailure = (typeof deliveryFailures)[number]
export type WebhookEndpointKind = (typeof webhookEndpointKinds)[number]
export type WebhookProof = (typeof webhookProofs)[number]
export type UnconfirmedReason = (typeof unconfirmedReasons)[number]

/**
 * The states of a job. The last four are its ends and never change: `completed` pays the agent something,
 * `rejected` and `expired` pay the hirer all, and `cancelled` was never funded.
 */
export const jobStatuses = [
  'open',
  'accepted',
  'funded',
  'delivered',
  'disputed',
  'completed',
  'rejected',
  'expired',
  'cancelled',
] as const
/**
 * Why a job has ended, by the state that it ended in. `restored`: the service has lost how, and only knows
 * its payments.
 */
export const jobEndReasons = {
  /** The agent received `agentAmount`: an act of the hirer, the judge or both, or the end of a deadline. */
  completed: ['approved', 'judged', 'agreed', 'review_time_over', 'no_verdict', 'restored'],
  /** The agent received nothing. `no_verdict`: half of the smallest price is nothing. */
  rejected: ['conceded', 'judged', 'agreed', 'no_verdict', 'restored'],
  expired: ['gave_up', 'no_delivery'],
  cancelled: ['withdrawn', 'declined', 'queue_full', 'nobody_accepted', 'not_funded'],
} as const
export type JobStatus = (typeof jobStatuses)[number]
/** The states that end a job. */
export type JobEnd = keyof typeof jobEndReasons
export type JobEndReason = (typeof jobEndReasons)[JobEnd][number]
/** The reasons why jobs have ended, each once. */
export const jobEndReasonNames = [...new Set(Object.values(jobEndReasons).flat())] as [
  JobEndReason,
  ...JobEndReason[],
]
/** The parts that a wallet can have in a job: it ordered it, owns its agent, or judges it. */
export const jobRoles = ['hirer', 'agent', 'judge'] as const
/** What a side or a judge can do with a job. `fund`, `refund`, `close` and `collect` are transactions. */
export const jobActs = [
  ...(['accept', 'end', 'fund', 'deliver', 'object', 'approve', 'concede', 'judge', 'propose'] as const),
  ...(['refund', 'close', 'collect'] as const),
] as const
/** The judges that are no wallet: any judge of the deployment, and none. */
export const noJudges = ['deployment', 'none'] as const
/** The texts of a job that are deleted after its end. */
export const jobTextKinds = ['input', 'delivery', 'objection', 'verdict'] as const
export type JobRole = (typeof jobRoles)[number]
export type JobAct = (typeof jobActs)[number]
export type JobTextKind = (typeof jobTextKinds)[number]

/** The minutes that the two sides of a job may agree on, for each of its deadlines. */
export const JOB_MINUTES = {
  accept: { min: 60, max: 10_080 },
  work: { min: 60, max: 43_200 },
  review: { min: 60, max: 20_160 },
} as const
/** The most bytes of a job's input and of its delivery, and the most characters of its other texts. */
export const JOB_TEXT_BYTES = 8_192
export const JOB_TITLE_LENGTH = 80
export const JOB_BRIEF_LENGTH = 1_000
export const JOB_REASON_LENGTH = 500
/** The most judges that an agent's terms name. */
export const JOB_JUDGES_OF_AGENT = 10
