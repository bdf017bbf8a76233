/** The closed sets of values of the contract (interface section 2), shared by tables and wire schemas. */
export const agentTypes = ['autonomous', 'semi-autonomous', 'oracle'] as const
export const feeModels = ['percentage', 'flat', 'hybrid'] as const
export const agentStatuses = ['active', 'inactive', 'suspended'] as const
export const hireStatuses = ['active', 'expired', 'terminated'] as const
/** `completed`: reached the end of its first term. `cut_short`: was terminated before that. */
export const hireOutcomes = ['completed', 'cut_short'] as const

export type AgentType = (typeof agentTypes)[number]
export type FeeModel = (typeof feeModels)[number]
export type AgentStatus = (typeof agentStatuses)[number]
export type HireStatus = (typeof hireStatuses)[number]
export type HireOutcome = (typeof hireOutcomes)[number]

export const positionStatuses = ['open', 'withdrawn'] as const
export const intentKinds = ['stack', 'claim', 'unstack'] as const
/** `landed`: its effect stands on the chain. `expired`: it has had no effect and can no longer have one. */
export const intentStatuses = ['open', 'landed', 'expired'] as const
export type IntentKind = (typeof intentKinds)[number]
export type IntentStatus = (typeof intentStatuses)[number]

/** How many attestations a wallet may record on one day, in UTC: the table has a check of it. */
export const ATTESTATIONS_PER_DAY = 100

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

export const eventTypes = [
  'agent.registered',
  'agent.status_changed',
  'hire.created',
  'hire.renewed',
  'hire.expired',
  'hire.terminated',
  'vault.position_opened',
  'vault.position_closed',
  'vault.yield_claimed',
  'attestation.verified',
  'attestation.rejected',
  'pioneer.joined',
  'endpoint.disabled',
] as const
/** `failed`: given up after the last attempt. */
export const deliveryStatuses = ['pending', 'delivered', 'failed'] as const
/** What its owner sees. `held`: pending, but its agent's webhook is disabled or removed. */
export const deliveryStates = [...deliveryStatuses, 'held'] as const
export const deliveryFailures = ['timeout', 'unreachable', 'url_refused'] as const

export type EventType = (typeof eventTypes)[number]
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type DeliveryState = (typeof deliveryStates)[number]
export type DeliveryFailure = (typeof deliveryFailures)[number]
