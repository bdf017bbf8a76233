import type { Endpoint } from '../../client/index.ts'
import { Confirmed, Disclosure } from '../kit/disclosure.tsx'
import { useAction } from '../kit/form.tsx'
import { Failure } from '../kit/loaded.tsx'
import { Badge, Link, Time } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Attempts } from './endpoint-attempts.tsx'
import type { Shown } from './endpoint-secret.tsx'
import { TestEvent } from './endpoint-test.tsx'

/** An endpoint: how it does, what was sent to it, and what can be done with it. */
export const EndpointCard = ({
  endpoint,
  changed,
  showSecret,
}: {
  endpoint: Endpoint
  changed: () => void
  showSecret: (shown: Shown) => void
}) => (
  <li class="card">
    <h3>{endpoint.description ?? endpoint.url}</h3>
    {endpoint.description && <code>{endpoint.url}</code>}
    <p>
      <State endpoint={endpoint} />
    </p>
    <p class="small">
      {endpoint.eventTypes.length > 0 ? endpoint.eventTypes.join(', ') : 'All events'}
      {endpoint.lastAttemptAt && (
        <>
          {' '}
          · last tried <Time at={endpoint.lastAttemptAt} />
        </>
      )}
    </p>
    <TestEvent endpoint={endpoint} answered={changed} />
    <Disclosure summary="Attempts">
      <Attempts endpointId={endpoint.id} />
    </Disclosure>
    {endpoint.kind === 'agent' ? (
      <p class="small">
        The webhook of an agent: change it on <Link to={`agents/${endpoint.id}`}>the agent’s page</Link>.
      </p>
    ) : (
      <Controls endpoint={endpoint} changed={changed} showSecret={showSecret} />
    )}
  </li>
)

const REASONS = {
  paused: 'paused: what happens is held for 30 days',
  gone: 'disabled: it answered 410 Gone',
  failing: 'disabled: nothing but failures for five days',
}

function State({ endpoint: { enabled, disabledReason, failingSince, provenAt } }: { endpoint: Endpoint }) {
  if (!enabled) return <Badge tone="warn">{disabledReason ? REASONS[disabledReason] : 'disabled'}</Badge>
  if (failingSince)
    return (
      <>
        <Badge tone="bad">failing</Badge> since <Time at={failingSince} />
      </>
    )
  return provenAt ? (
    <Badge tone="good">answers</Badge>
  ) : (
    <Badge tone="plain">has not answered yet: little is sent to it</Badge>
  )
}

const DAY_MS = 86_400_000

function Controls({
  endpoint: { id, url, enabled },
  changed,
  showSecret,
}: Parameters<typeof EndpointCard>[0]) {
  const { client } = useConnection()
  const path = { id }
  const toggle = useAction(async () => {
    await client.call('PATCH /events/endpoints/{id}', { path, body: { enabled: !enabled } })
    changed()
  })
  const recover = useAction(async () => {
    const since = new Date(Date.now() - 30 * DAY_MS).toISOString()
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
