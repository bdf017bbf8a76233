import { useEffect, useState } from 'preact/hooks'
import type { Delivery, Endpoint } from '../../../client/index.ts'
import { DAY_MS } from '../../clock.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Confirmed } from '../../kit/disclosure.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { useLoaded, useRepeated } from '../../kit/query.ts'
import type { Shown } from '../../kit/secret.tsx'
import { Link } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { NextAttempt, readDelivery } from './delivery.tsx'
import { DeliveryState } from './delivery-state.tsx'
import { outcomeOf } from './delivery-words.ts'

/** The actions of a wallet on a webhook endpoint that it has created. */
export function EndpointControls({
  endpoint,
  onChanged,
  showSecret,
}: {
  endpoint: Endpoint
  onChanged: () => void
  showSecret: (shown: Shown) => void
}) {
  const { client, now } = useConnection()
  const { id, enabled } = endpoint
  const path = { id }
  const toggle = useAction(async () => {
    await client.call('PATCH /events/endpoints/{id}', { path, body: { enabled: !enabled } })
    onChanged()
  })
  const recover = useAction(async () => {
    const since = new Date(now() - 30 * DAY_MS).toISOString()
    await client.call('POST /events/endpoints/{id}/recover', { path, body: { since } })
    onChanged()
  })
  const remove = async () => {
    await client.call('DELETE /events/endpoints/{id}', { path })
    onChanged()
  }
  const error = toggle.error ?? recover.error
  return (
    <div class="row">
      <Button isBusy={toggle.isBusy} onClick={toggle.run}>
        {enabled ? 'Pause' : 'Enable'}
      </Button>
      <Button isBusy={recover.isBusy} onClick={recover.run}>
        Resend failed events
      </Button>
      <RotateSecret endpoint={endpoint} showSecret={showSecret} />
      <Confirmed label="Delete" question="This endpoint will stop receiving events." action={remove} />
      {error && <Failure error={error} />}
    </div>
  )
}

/** Makes another secret for an endpoint. An agent’s webhook may have had none. */
export function RotateSecret({
  endpoint: { id, kind, url },
  showSecret,
}: {
  endpoint: Endpoint
  showSecret: (shown: Shown) => void
}) {
  const { client, now } = useConnection()
  const rotate = async () => {
    const path = { id }
    const { secret, previousSecretEndsAt } = await client.call('POST /events/endpoints/{id}/secret', { path })
    const isShared = Date.parse(previousSecretEndsAt) > now()
    showSecret({ url, secret, ...(isShared && { previousEndsAt: previousSecretEndsAt }) })
  }
  const current = kind === 'agent' ? 'The current secret, if there is one,' : 'The current secret'
  return (
    <Confirmed
      label="Rotate secret"
      question={`${current} stays valid for 24 hours. Any older secret stops working now.`}
      action={rotate}
    />
  )
}

/** Sends a test event, and shows its outcome. The first one brings the request for a proof. */
export function TestEvent({ endpoint, onAnswered }: { endpoint: Endpoint; onAnswered: () => void }) {
  const { client } = useConnection()
  const [sent, setSent] = useState<Delivery>()
  const { isBusy, error, run } = useAction(async () => {
    setSent(await client.call('POST /events/endpoints/{id}/test', { path: { id: endpoint.id } }))
  })
  return (
    <>
      <Button isBusy={isBusy} isDisabled={!endpoint.enabled} onClick={run}>
        Send test event
      </Button>
      {error && <Failure error={error} />}
      {sent && <Outcome key={sent.eventId} sent={sent} onAnswered={onAnswered} />}
    </>
  )
}

/** Asks until it is answered, or until a request fails. Then the visitor decides. */
function Outcome({ sent, onAnswered }: { sent: Delivery; onAnswered: () => void }) {
  const { client } = useConnection()
  const { endpointId, eventId } = sent
  const { loaded, reload } = useLoaded(eventId, (signal) =>
    readDelivery(client, { endpointId, eventId }, signal),
  )
  const data = 'data' in loaded ? loaded.data : undefined
  const delivery = data?.delivery ?? sent
  useRepeated(delivery.status === 'pending' && loaded.state !== 'failed', reload)
  useEffect(() => {
    if (delivery.status === 'delivered') onAnswered()
  }, [delivery.status])
  return (
    <>
      <p role="status">
        <DeliveryState status={delivery.status} /> {outcomeOf(delivery) && `${outcomeOf(delivery)}.`}{' '}
        {data && <NextAttempt endpoint={data.endpoint} delivery={delivery} label="Next attempt:" />}{' '}
        <Link to={`developer/webhooks/${endpointId}/${eventId}`}>View delivery</Link>
      </p>
      {loaded.state === 'failed' && <Failure error={loaded.error} retry={reload} />}
    </>
  )
}
