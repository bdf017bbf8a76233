import * as v from 'valibot'
import {
  agentStatuses,
  agentTypes,
  deliveryFailures,
  deliveryStates,
  type EventType,
  eventTypes,
  feeModels,
  hireStatuses,
  pioneerTiers,
  verificationLevels,
} from '../values.ts'
import { PageLimit, Timestamp, Uuid, WireAmount, WireUuid } from './common.ts'

/** Query of GET /events. */
export const EventListQuery = v.object({ after: v.optional(Uuid), limit: PageLimit })

/** Query of GET /events/deliveries. */
export const DeliveryListQuery = v.object({
  status: v.optional(v.picklist(deliveryStates)),
  limit: PageLimit,
  cursor: v.optional(v.string()),
})

export const EventPath = v.object({ id: Uuid })

const Integers = v.array(v.pipe(v.number(), v.integer()))

const AgentRegistered = v.strictObject({
  agentId: WireUuid,
  name: v.string(),
  agentType: v.picklist(agentTypes),
  supportedLayers: Integers,
  feeModel: v.picklist(feeModels),
  feeAmount: WireAmount,
  status: v.picklist(agentStatuses),
})

const AgentStatusChanged = v.strictObject({
  agentId: WireUuid,
  status: v.picklist(agentStatuses),
  previousStatus: v.picklist(agentStatuses),
  reason: v.optional(v.string()),
})

/** A hire as the event left it. */
const HireData = v.strictObject({
  hireId: WireUuid,
  agentId: WireUuid,
  wallet: v.string(),
  layersEnabled: Integers,
  budgetLimit: v.optional(WireAmount),
  autoRenew: v.boolean(),
  status: v.picklist(hireStatuses),
  hiredAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: v.optional(Timestamp),
})

const PositionOpened = v.strictObject({
  owner: v.string(),
  positionId: v.pipe(v.number(), v.integer()),
  address: v.string(),
  amount: WireAmount,
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
})

const PositionClosed = v.strictObject({
  owner: v.string(),
  positionId: v.pipe(v.number(), v.integer()),
  address: v.string(),
  amount: WireAmount,
})

const YieldClaimed = v.strictObject({
  owner: v.string(),
  transactionId: WireUuid,
  amount: WireAmount,
  positions: v.array(v.strictObject({ positionId: v.pipe(v.number(), v.integer()), amount: WireAmount })),
})

const AttestationDecided = v.strictObject({
  attestationId: WireUuid,
  credentialType: v.string(),
  credentialId: v.string(),
  verificationLevel: v.picklist(verificationLevels),
  decidedBy: v.string(),
  reason: v.optional(v.string()),
})

const PioneerJoined = v.strictObject({
  wallet: v.string(),
  tier: v.picklist(pioneerTiers),
  referrer: v.optional(v.string()),
})

const event = <Type extends EventType, Data extends v.GenericSchema>(type: Type, data: Data) =>
  v.strictObject({ id: WireUuid, type: v.literal(type), timestamp: Timestamp, data })

/** Every event by its type: the body of a webhook, and an entry of the log. */
export const Events = {
  'agent.registered': event('agent.registered', AgentRegistered),
  'agent.status_changed': event('agent.status_changed', AgentStatusChanged),
  'hire.created': event('hire.created', HireData),
  'hire.renewed': event('hire.renewed', HireData),
  'hire.expired': event('hire.expired', HireData),
  'hire.terminated': event('hire.terminated', HireData),
  'vault.position_opened': event('vault.position_opened', PositionOpened),
  'vault.position_closed': event('vault.position_closed', PositionClosed),
  'vault.yield_claimed': event('vault.yield_claimed', YieldClaimed),
  'attestation.verified': event('attestation.verified', AttestationDecided),
  'attestation.rejected': event('attestation.rejected', AttestationDecided),
  'pioneer.joined': event('pioneer.joined', PioneerJoined),
} satisfies Record<EventType, v.GenericSchema>

export const Event = v.variant('type', [
  Events['agent.registered'],
  Events['agent.status_changed'],
  Events['hire.created'],
  Events['hire.renewed'],
  Events['hire.expired'],
  Events['hire.terminated'],
  Events['vault.position_opened'],
  Events['vault.position_closed'],
  Events['vault.yield_claimed'],
  Events['attestation.verified'],
  Events['attestation.rejected'],
  Events['pioneer.joined'],
])

export const EventList = v.strictObject({
  events: v.array(Event),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hasMore: v.boolean(),
})

export const EventKeys = v.strictObject({ keys: v.array(v.string()) })

export const Delivery = v.strictObject({
  eventId: WireUuid,
  type: v.picklist(eventTypes),
  agentId: WireUuid,
  status: v.picklist(deliveryStates),
  attempts: v.pipe(v.number(), v.integer(), v.minValue(0)),
  createdAt: Timestamp,
  lastAttemptAt: v.optional(Timestamp),
  lastResponseCode: v.optional(v.pipe(v.number(), v.integer())),
  lastFailure: v.optional(v.picklist(deliveryFailures)),
  nextAttemptAt: v.optional(Timestamp),
})

export const DeliveryList = v.strictObject({
  deliveries: v.array(Delivery),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  nextCursor: v.optional(v.string()),
})
