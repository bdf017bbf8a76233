import type { Client, Delivery, Endpoint } from '../../../client/index.ts'
import { Empty, Show } from '../../kit/loaded.tsx'
import { useLoaded, useRepeated } from '../../kit/query.ts'
import { Id, Link, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { Attempts } from './attempts.tsx'
import { Replay } from './deliveries.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { nextAttemptOf, outcomeOf } from './delivery-words.ts'

/**
 * Reads a delivery and its endpoint.
 * @returns `delivery` undefined if the event was never sent to the endpoint, or too long ago
 */
export async function readDelivery(
  client: Client,
  { endpointId, eventId }: { endpointId: string; eventId: string },
  signal: AbortSignal,
): Promise<{ endpoint: Endpoint; delivery: Delivery | undefined }> {
  const [endpoint, { deliveries }] = await Promise.all([
    client.call('GET /events/endpoints/{id}', { path: { id: endpointId }, signal }),
    client.call('GET /events/deliveries', { query: { endpointId, eventId, limit: 1 }, signal }),
  ])
  return { endpoint, delivery: deliveries[0] }
}

/** Shows the delivery of an event to an endpoint: its state, its attempts, and a button that sends it again. */
export function OneDelivery({ endpointId, eventId }: { endpointId: string; eventId: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(`${endpointId} ${eventId}`, (signal) =>
    readDelivery(client, { endpointId, eventId }, signal),
  )
  const delivery = 'data' in loaded ? loaded.data?.delivery : undefined
  useRepeated(delivery?.status === 'pending', reload)
  return (
    <>
      <p>
        <Link to={`developer/webhooks/${endpointId}`}>Back to the endpoint</Link>
      </p>
      <Show loaded={loaded} reload={reload}>
        {({ endpoint, delivery }) =>
          delivery ? (
            <Known endpoint={endpoint} delivery={delivery} onReplayed={reload} />
          ) : (
            <Empty title="This event was not sent to this endpoint.">
              <p>Deliveries are kept for 30 days.</p>
            </Empty>
          )
        }
      </Show>
    </>
  )
}

const Known = ({
  endpoint,
  delivery,
  onReplayed,
}: {
  endpoint: Endpoint
  delivery: Delivery
  onReplayed: () => void
}) => (
  <>
    <h3>
      {delivery.type} <DeliveryState status={delivery.status} />
    </h3>
    <dl>
      <dt>Event ID</dt>
      <dd>
        <Id id={delivery.eventId} name="event ID" />
      </dd>
      <dt>Sent to</dt>
      <dd>
        <code>{endpoint.url}</code>
      </dd>
      <dt>Queued</dt>
      <dd>
        <Time at={delivery.createdAt} />
      </dd>
      {delivery.lastAttemptAt && (
        <>
          <dt>Last attempt</dt>
          <dd>
            <Time at={delivery.lastAttemptAt} /> {outcomeOf(delivery)}
          </dd>
        </>
      )}
      {(delivery.status === 'pending' || delivery.status === 'held') && (
        <>
          <dt>Next attempt</dt>
          <dd>
            <NextAttempt endpoint={endpoint} delivery={delivery} />
          </dd>
        </>
      )}
    </dl>
    <Replay delivery={delivery} onReplayed={onReplayed} />
    <h3>Attempts</h3>
    <Attempts
      key={`${delivery.attempts} ${delivery.lastAttemptAt}`}
      endpointId={endpoint.id}
      eventId={delivery.eventId}
    />
  </>
)

/**
 * Says when a delivery is attempted next, and why not earlier.
 * @param label before the time
 */
export function NextAttempt({
  endpoint,
  delivery,
  label,
}: {
  endpoint: Endpoint
  delivery: Delivery
  label?: string
}) {
  const { now } = useConnection()
  if (delivery.status === 'held') return <>When you enable the endpoint.</>
  const next = nextAttemptOf(delivery, endpoint, now())
  if (!next) return null
  return (
    <>
      {next.at !== undefined && (
        <>
          {label} <Time at={new Date(next.at).toISOString()} />.{' '}
        </>
      )}
      {next.why}
    </>
  )
}
