import { base64, base64urlnopad } from '@scure/base'
import type { Wire } from '../../schema/wire/common.ts'
import { Delivery, type EventKeySet, type EventKeys } from '../../schema/wire/events.ts'
import { answer } from '../answer.ts'
import type { DeliveryRow } from './list-queries.ts'
import type { EventRow } from './queries.ts'

/**
 * Returns an event as JSON text: the same for the webhook's body and the log. It inserts the data as Postgres
 * wrote it, so that no amount passes through a JavaScript number, and adds the agent's name to it.
 */
export const eventText = ({ id, type, timestamp, data, agentName }: EventRow): string =>
  `${JSON.stringify({ id, type, timestamp }).slice(0, -1)},"data":${agentName === null ? data : withName(data, agentName)}}`

/** Adds a name to the JSON text of an object with other fields. */
const withName = (data: string, agentName: string): string =>
  `${data.slice(0, data.lastIndexOf('}'))},${JSON.stringify({ agentName }).slice(1)}`

/** Returns one page of the log as JSON text. */
export const eventListText = (page: { events: EventRow[]; hasMore: boolean }): string =>
  `{"events":[${page.events.map(eventText).join(',')}],"count":${page.events.length},"hasMore":${page.hasMore}}`

/** Returns the row of a delivery. Of the endpoint's answer only the status code is stored. */
export const deliveryRow = (delivery: DeliveryRow) => ({
  ...delivery,
  nextAttemptAt: delivery.status === 'held' ? undefined : delivery.nextAttemptAt,
})

/** Makes a Delivery. */
export const deliveryView = (delivery: DeliveryRow): Wire<typeof Delivery> =>
  answer(Delivery, deliveryRow(delivery))

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
