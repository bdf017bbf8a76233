import type { Endpoint } from '../../client/index.ts'

type EventType = Endpoint['eventTypes'][number]

/** A list that the compiler holds complete; a test event comes whatever is listened to. */
const TYPES: Record<Exclude<EventType, 'endpoint.test'>, true> = {
  'agent.registered': true,
  'agent.status_changed': true,
  'hire.created': true,
  'hire.renewed': true,
  'hire.expired': true,
  'hire.terminated': true,
  'charge.recorded': true,
  'charge.voided': true,
  'charge.collected': true,
  'budget.low': true,
  'budget.exhausted': true,
  'budget.funded': true,
  'budget.withdrawn': true,
  'rating.given': true,
  'rating.revised': true,
  'rating.answered': true,
  'vault.position_opened': true,
  'vault.position_closed': true,
  'vault.yield_claimed': true,
  'attestation.verified': true,
  'attestation.rejected': true,
  'attestation.revoked': true,
  'pioneer.joined': true,
  'endpoint.disabled': true,
}

/** The types of events that an endpoint may choose. */
export const EVENT_TYPES = Object.keys(TYPES) as (keyof typeof TYPES)[]
