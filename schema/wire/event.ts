import * as v from 'valibot'
import type { EventType } from '../values.ts'
import { describe } from '../words.ts'
import { Timestamp, WireUuid } from './common.ts'
import {
  AgentRegistered,
  AgentStatusChanged,
  AttestationDecided,
  BudgetData,
  BudgetMoved,
  ChargeData,
  EndpointDisabled,
  EndpointTest,
  HireData,
  PioneerJoined,
  PositionClosed,
  PositionOpened,
  RatingData,
  YieldClaimed,
} from './event-data.ts'

const event = /* @__NO_SIDE_EFFECTS__ */ <Type extends EventType, Data extends v.GenericSchema>(
  type: Type,
  data: Data,
) => v.strictObject({ id: WireUuid, type: v.literal(type), timestamp: Timestamp, data })

/** Every event by its type: the body of a webhook, and an entry of the log. */
export const Events = {
  'agent.registered': event('agent.registered', AgentRegistered),
  'agent.status_changed': event('agent.status_changed', AgentStatusChanged),
  'hire.created': event('hire.created', HireData),
  'hire.renewed': event('hire.renewed', HireData),
  'hire.expired': event('hire.expired', HireData),
  'hire.terminated': event('hire.terminated', HireData),
  'charge.recorded': event('charge.recorded', ChargeData),
  'charge.voided': event('charge.voided', ChargeData),
  'charge.collected': event('charge.collected', ChargeData),
  'budget.low': event('budget.low', BudgetData),
  'budget.exhausted': event('budget.exhausted', BudgetData),
  'budget.funded': event('budget.funded', BudgetMoved),
  'budget.withdrawn': event('budget.withdrawn', BudgetMoved),
  'rating.given': event('rating.given', RatingData),
  'rating.revised': event('rating.revised', RatingData),
  'rating.answered': event('rating.answered', RatingData),
  'vault.position_opened': event('vault.position_opened', PositionOpened),
  'vault.position_closed': event('vault.position_closed', PositionClosed),
  'vault.yield_claimed': event('vault.yield_claimed', YieldClaimed),
  'attestation.verified': event('attestation.verified', AttestationDecided),
  'attestation.rejected': event('attestation.rejected', AttestationDecided),
  'attestation.revoked': event('attestation.revoked', AttestationDecided),
  'pioneer.joined': event('pioneer.joined', PioneerJoined),
  'endpoint.disabled': event('endpoint.disabled', EndpointDisabled),
  'endpoint.test': event('endpoint.test', EndpointTest),
} satisfies Record<EventType, v.GenericSchema>

export const Event = v.variant('type', [
  Events['agent.registered'],
  Events['agent.status_changed'],
  Events['hire.created'],
  Events['hire.renewed'],
  Events['hire.expired'],
  Events['hire.terminated'],
  Events['charge.recorded'],
  Events['charge.voided'],
  Events['charge.collected'],
  Events['budget.low'],
  Events['budget.exhausted'],
  Events['budget.funded'],
  Events['budget.withdrawn'],
  Events['rating.given'],
  Events['rating.revised'],
  Events['rating.answered'],
  Events['vault.position_opened'],
  Events['vault.position_closed'],
  Events['vault.yield_claimed'],
  Events['attestation.verified'],
  Events['attestation.rejected'],
  Events['attestation.revoked'],
  Events['pioneer.joined'],
  Events['endpoint.disabled'],
  Events['endpoint.test'],
])

/** The name of an event's schema in the description: `hire.created` is HireCreatedEvent. */
export const eventSchemaName = (type: EventType): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event`

export const EventList = v.strictObject({
  events: v.array(Event),
  count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  hasMore: v.boolean(),
})

if (WORDS)
  describe(EventList, {
    name: 'EventList',
    description: 'One page of your events.',
    fields: {
      events: 'Oldest first.',
      count: 'Number of them in this page.',
      hasMore: 'Whether more have happened since.',
    },
  })
