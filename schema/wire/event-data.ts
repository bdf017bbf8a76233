import * as v from 'valibot'
import {
  agentStatuses,
  agentTypes,
  chargeStatuses,
  feeModels,
  hireStatuses,
  pioneerTiers,
  verificationLevels,
} from '../values.ts'
import { Period, Timestamp, WireAmount, WireUuid } from './common.ts'

// The facts of each kind of event: what its `data` holds.

const Integers = v.array(v.pipe(v.number(), v.integer()))

export const AgentRegistered = v.strictObject({
  agentId: WireUuid,
  name: v.string(),
  agentType: v.picklist(agentTypes),
  supportedLayers: Integers,
  feeModel: v.picklist(feeModels),
  feeAmount: WireAmount,
  status: v.picklist(agentStatuses),
})

export const AgentStatusChanged = v.strictObject({
  agentId: WireUuid,
  status: v.picklist(agentStatuses),
  previousStatus: v.picklist(agentStatuses),
  reason: v.optional(v.string()),
})

/** A hire as the event left it. */
export const HireData = v.strictObject({
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

/** A charge as the event left it. */
export const ChargeData = v.strictObject({
  chargeId: WireUuid,
  hireId: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  hirer: v.string(),
  reference: v.string(),
  amount: WireAmount,
  units: v.optional(WireAmount),
  capturedValue: v.optional(WireAmount),
  share: v.optional(WireAmount),
  layer: v.optional(v.pipe(v.number(), v.integer())),
  description: v.optional(v.string()),
  status: v.picklist(chargeStatuses),
  createdAt: Timestamp,
  fee: v.optional(WireAmount),
})

/** The budget of a hire's period, after the charge that the event is about. */
export const BudgetData = v.strictObject({
  hireId: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  hirer: v.string(),
  budgetLimit: WireAmount,
  spent: WireAmount,
  remaining: WireAmount,
  period: Period,
})

/** What a hirer has put into a hire's budget account, or taken out of it. */
export const BudgetMoved = v.strictObject({
  hireId: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  hirer: v.string(),
  transactionId: WireUuid,
  address: v.string(),
  amount: WireAmount,
})

/** A rating as the event left it. */
export const RatingData = v.strictObject({
  ratingId: WireUuid,
  hireId: WireUuid,
  agentId: WireUuid,
  owner: v.string(),
  hirer: v.string(),
  rating: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
  comment: v.optional(v.string()),
  createdAt: Timestamp,
  revisedAt: v.optional(Timestamp),
  answer: v.optional(v.string()),
  answeredAt: v.optional(Timestamp),
})

export const PositionOpened = v.strictObject({
  owner: v.string(),
  positionId: v.pipe(v.number(), v.integer()),
  address: v.string(),
  amount: WireAmount,
  lockDays: v.pipe(v.number(), v.integer()),
  apyBps: v.pipe(v.number(), v.integer()),
  stakedAt: Timestamp,
  unlocksAt: Timestamp,
})

export const PositionClosed = v.strictObject({
  owner: v.string(),
  positionId: v.pipe(v.number(), v.integer()),
  address: v.string(),
  amount: WireAmount,
})

export const YieldClaimed = v.strictObject({
  owner: v.string(),
  transactionId: WireUuid,
  amount: WireAmount,
  positions: v.array(v.strictObject({ positionId: v.pipe(v.number(), v.integer()), amount: WireAmount })),
})

export const AttestationDecided = v.strictObject({
  attestationId: WireUuid,
  credentialType: v.string(),
  credentialId: v.string(),
  verificationLevel: v.picklist(verificationLevels),
  decidedBy: v.string(),
  reason: v.optional(v.string()),
})

export const EndpointDisabled = v.strictObject({
  endpointId: WireUuid,
  /** Of the webhook of an agent. */
  agentId: v.optional(WireUuid),
  url: v.string(),
  reason: v.picklist(['gone', 'failing']),
})

export const EndpointTest = v.strictObject({
  endpointId: WireUuid,
  /** Of the webhook of an agent. */
  agentId: v.optional(WireUuid),
})

export const PioneerJoined = v.strictObject({
  wallet: v.string(),
  tier: v.picklist(pioneerTiers),
  referrer: v.optional(v.string()),
})
