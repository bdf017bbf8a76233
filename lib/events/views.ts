import { base64, base64urlnopad } from '@scure/base'
import type { Wire } from '../../schema/wire/common.ts'
import type { Delivery, DeliveryList, EventKeySet, EventKeys } from '../../schema/wire/events.ts'
import type { DeliveryRow } from './list-queries.ts'
import type { EventRow } from './queries.ts'

/**
 * Returns an event as JSON text: the same for the webhook's body and the log. It inserts the data as Postgres
 * wrote it, so that no amount passes through a JavaScript number.
 */
export const eventText = ({ id, type, timestamp, data }: EventRow): string =>
  `${JSON.stringify({ id, type, timestamp }).slice(0, -1)},"data":${data}}`

/** Returns one page of the log as JSON text. */
export const eventListText = (page: { events: EventRow[]; hasMore: boolean }): string =>
  `{"events":[${page.events.map(eventText).join(',')}],"count":${page.events.length},"hasMore":${page.hasMore}}`

/** Returns the state of a delivery. Of the endpoint's answer only the status code is stored. */
export const deliveryView = (delivery: DeliveryRow): Wire<typeof Delivery> => ({
  eventId: delivery.eventId,
  type: delivery.type,
  endpointId: delivery.endpointId,
  agentId: delivery.agentId ?? undefined,
  status: delivery.status,
  attempts: delivery.attempts,
  createdAt: delivery.createdAt.toISOString(),
  lastAttemptAt: delivery.lastAttemptAt?.toISOString(),
  lastResponseCode: delivery.lastResponseCode ?? undefined,
  lastFailure: delivery.lastFailure ?? undefined,
  nextAttemptAt: delivery.status === 'held' ? undefined : delivery.nextAttemptAt?.toISOString(),
})

export const deliveryListView = (page: {
  deliveries: DeliveryRow[]
  nextCursor?: string
}): Wire<typeof DeliveryList> => ({
  deliveries: page.deliveries.map(deliveryView),
  count: page.deliveries.length,
  nextCursor: page.nextCursor,
})

/** Returns the public keys of webhook signatures. */
export const eventKeysView = (keys: string[]): Wire<typeof EventKeys> => ({ keys })

/** Returns the public keys as a JSON Web Key Set. A key's id is its own text. */
export const eventKeySetView = (keys: string[]): Wire<typeof EventKeySet> => ({
  keys: keys.map((kid) => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: base64urlnopad.encode(base64.decode(kid.slice(PUBLIC_PREFIX.length))),
    kid,
    alg: 'EdDSA',
    use: 'sig',
  })),
})

const PUBLIC_PREFIX = 'whpk_'
