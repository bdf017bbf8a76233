import { useEffect, useState } from 'preact/hooks'
import type { Delivery, Endpoint } from '../../client/index.ts'
import { useAction } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { useLoaded } from '../kit/query.ts'
import { useRepeated } from '../kit/repeated.ts'
import { useConnection } from '../wallet/connection.tsx'
import { answerOf, DeliveryState } from './delivery-state.tsx'

/** Sends a test event, and shows what becomes of it: with a first answer the endpoint is proven. */
export function TestEvent({ endpoint, answered }: { endpoint: Endpoint; answered: () => void }) {
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
      {sent && <Outcome key={sent.eventId} sent={sent} answered={answered} />}
    </>
  )
}

/** Of the newest deliveries so many are looked at. */
const ENOUGH = 20

/** Asks until it is answered, or until asking fails: then the visitor decides. */
function Outcome({ sent, answered }: { sent: Delivery; answered: () => void }) {
  const { client } = useConnection()
  const { endpointId, eventId } = sent
  const { loaded, reload } = useLoaded(eventId, async (signal) => {
    const query = { endpointId, limit: ENOUGH }
    const { deliveries } = await client.call('GET /events/deliveries', { query, signal })
    return deliveries.find((delivery) => delivery.eventId === eventId)
  })
  const delivery = (loaded.state !== 'loading' && loaded.data) || sent
  const isMissing = loaded.state === 'ready' && loaded.data === undefined
  useRepeated(delivery.status === 'pending' && loaded.state !== 'failed' && !isMissing, reload)
  useEffect(() => {
    if (delivery.status === 'delivered') answered()
  }, [delivery.status])
  if (isMissing) return <p role="status">Newer ones have come: find it among the deliveries.</p>
  return (
    <>
      <p role="status">
        <DeliveryState status={delivery.status} /> {answerOf(delivery)}
      </p>
      {loaded.state === 'failed' && <Failure error={loaded.error} retry={reload} />}
    </>
  )
}
