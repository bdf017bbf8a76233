import type { Endpoint } from '../../client/index.ts'
import { DAY_MS } from '../clock.ts'
import { Confirmed } from '../kit/disclosure.tsx'
import { useAction } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { useConnection } from '../wallet/connection.tsx'
import type { Shown } from './endpoint-secret.tsx'

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
      <button type="button" disabled={toggle.isBusy} onClick={toggle.run}>
        {enabled ? 'Pause' : 'Enable'}
      </button>
      <button type="button" disabled={recover.isBusy} onClick={recover.run}>
        Send again what failed
      </button>
      <Confirmed
        label="New secret"
        question="The present secret signs for 24 hours more; one that it replaced ends at once."
        action={rotate}
      />
      <Confirmed label="Delete" question="Nothing more is sent to this endpoint." action={remove} />
      {error && <Failure error={error} />}
    </div>
  )
}
