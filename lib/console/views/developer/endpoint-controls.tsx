import { useEffect, useState } from 'preact/hooks'
import type { Delivery, Endpoint } from '../../../client/index.ts'
import { DAY_MS } from '../../clock.ts'
import { Button } from '../../kit/button.tsx'
import { Copy } from '../../kit/copy.tsx'
import { Confirmed } from '../../kit/disclosure.tsx'
import { useAction } from '../../kit/form.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { useLoaded, useRepeated } from '../../kit/query.ts'
import { Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { answerOf, DeliveryState } from './deliveries.tsx'

/** What the wallet can do with an endpoint that it has made. */
export function EndpointControls({
  endpoint: { id, url, enabled },
  changed,
  showSecret,
}: {
  endpoint: Endpoint
  changed: () => void
  showSecret: (shown: Shown) => void
}) {
  const { client, now } = useConnection()
  const path = { id }
  const toggle = useAction(async () => {
    await client.call('PATCH /events/endpoints/{id}', { path, body: { enabled: !enabled } })
    changed()
  })
  const recover = useAction(async () => {
    const since = new Date(now() - 30 * DAY_MS).toISOString()
    await client.call('POST /events/endpoints/{id}/recover', { path, body: { since } })
    changed()
  })
  const rotate = async () => {
    const { secret, previousSecretEndsAt } = await client.call('POST /events/endpoints/{id}/secret', { path })
    showSecret({ url, secret, previousEndsAt: previousSecretEndsAt })
  }
  const remove = async () => {
    await client.call('DELETE /events/endpoints/{id}', { path })
    changed()
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
      <Confirmed
        label="Rotate secret"
        question="The current secret stays valid for 24 hours. Any older secret stops working now."
        action={rotate}
      />
      <Confirmed label="Delete" question="This endpoint will stop receiving events." action={remove} />
      {error && <Failure error={error} />}
    </div>
  )
}

/** Sends a test event, and shows what becomes of it: the first one brings the request for a proof. */
export function TestEvent({ endpoint, answered }: { endpoint: Endpoint; answered: () => void }) {
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
  if (isMissing) return <p role="status">See Deliveries for the result of this test.</p>
  return (
    <>
      <p role="status">
        <DeliveryState status={delivery.status} /> {answerOf(delivery)}
      </p>
      {loaded.state === 'failed' && <Failure error={loaded.error} retry={reload} />}
    </>
  )
}

/** A secret that was just made, and where it belongs. */
export type Shown = {
  url: string
  secret: string
  /** Until when the one before it signs, too. */
  previousEndsAt?: string
}

/** Shows a secret, once: the service keeps it under a key of its own and never shows it again. */
export function Secret({ shown: { url, secret, previousEndsAt } }: { shown: Shown }) {
  return (
    <div class="notice" role="status">
      <p>
        <strong>Signing secret for {url}. Copy it now: it won’t be shown again.</strong>
      </p>
      <p>
        <code>{secret}</code>
      </p>
      <Copy text={secret} label="Copy secret" />
      {previousEndsAt && (
        <p class="small">
          The previous secret stays valid until <Time at={previousEndsAt} />.
        </p>
      )}
    </div>
  )
}
