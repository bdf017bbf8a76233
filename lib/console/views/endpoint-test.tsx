import { useState } from 'preact/hooks'
import type { Delivery, Endpoint } from '../../client/index.ts'
import { useAction } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { useRepeated } from '../kit/repeated.ts'
import { useConnection } from '../wallet/connection.tsx'
import { answerOf, DeliveryState } from './delivery-state.tsx'

/** Sends a test event, and shows what becomes of it. */
export function TestEvent({ endpoint }: { endpoint: Endpoint }) {
  const { client } = useConnection()
  const [sent, setSent] = useState<Delivery>()
  const { isBusy, error, run } = useAction(async () => {
    setSent(await client.call('POST /events/endpoints/{id}/test', { path: { id: endpoint.id } }))
  })
  return (
    <>
      <button type="button" disabled={isBusy || !endpoint.enabled} aria-busy={isBusy} onClick={run}>
        Send a test event
      </button>
      {error && <Failure error={error} />}
      {sent && <Outcome key={sent.eventId} sent={sent} />}
    </>
  )
}

const ENOUGH = 20

function Outcome({ sent }: { sent: Delivery }) {
  const { client } = useConnection()
  const { endpointId, eventId } = sent
  const { loaded, reload } = useLoaded(eventId, async (signal) => {
    const query = { endpointId, limit: ENOUGH }
    const { deliveries } = await client.call('GET /events/deliveries', { query, signal })
    return deliveries.find((delivery) => delivery.eventId === eventId)
  })
  const delivery = (loaded.state === 'ready' && loaded.data) || sent
  useRepeated(delivery.status === 'pending', reload)
  return (
    <p role="status">
      <DeliveryState status={delivery.status} /> {answerOf(delivery)}
    </p>
  )
}
