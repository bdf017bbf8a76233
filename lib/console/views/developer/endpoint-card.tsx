import { useState } from 'preact/hooks'
import type { Endpoint } from '../../../client/index.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import type { Shown } from '../../kit/secret.tsx'
import { Badge, Id, Link, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { Attempts } from './attempts.tsx'
import { EndpointControls, RotateSecret, TestEvent } from './endpoint-controls.tsx'
import { type AgentNames, type EndpointDraft, patchOf } from './endpoint-draft.ts'
import { EndpointForm } from './endpoint-form.tsx'

/** A webhook endpoint: its state and filters, the attempts to send to it, and its controls. */
export const EndpointDetails = ({
  endpoint,
  names,
  onChanged,
  showSecret,
}: {
  endpoint: Endpoint
  names: AgentNames
  onChanged: () => void
  showSecret: (shown: Shown) => void
}) => (
  <>
    <h3>
      <Link to={`developer/webhooks/${endpoint.id}`}>{endpoint.description ?? endpoint.url}</Link>
    </h3>
    {endpoint.description && <code>{endpoint.url}</code>}
    <p>
      <State endpoint={endpoint} />
    </p>
    <dl>
      <dt>Endpoint ID</dt>
      <dd>
        <Id id={endpoint.id} name="endpoint ID" />
      </dd>
      <dt>Events</dt>
      <dd>{endpoint.eventTypes.join(', ') || 'all'}</dd>
      <dt>Agents</dt>
      <dd>{endpoint.agentIds.map((id) => names.get(id) ?? id).join(', ') || 'all'}</dd>
      {endpoint.lastAttemptAt && (
        <>
          <dt>Last attempt</dt>
          <dd>
            <Time at={endpoint.lastAttemptAt} />
          </dd>
        </>
      )}
    </dl>
    <TestEvent endpoint={endpoint} onAnswered={onChanged} />
    {endpoint.unconfirmedReason && <p class="small">{ANSWERED[endpoint.unconfirmedReason]}</p>}
    {endpoint.proof !== 'proven' && (
      <Disclosure summary="Confirm this endpoint">
        <Confirmation endpoint={endpoint} onChanged={onChanged} />
      </Disclosure>
    )}
    <Disclosure summary="Attempts">
      <Attempts endpointId={endpoint.id} />
    </Disclosure>
    {endpoint.kind === 'agent' ? (
      <>
        <RotateSecret endpoint={endpoint} showSecret={showSecret} />
        <p class="small">
          {/* The endpoint has the agent's id. */}
          This webhook belongs to an agent. Change its URL on{' '}
          <Link to={`agents/${endpoint.id}`}>the agent’s page</Link>.
        </p>
      </>
    ) : (
      <>
        <EndpointControls endpoint={endpoint} onChanged={onChanged} showSecret={showSecret} />
        <Disclosure summary="Edit">
          <Editor endpoint={endpoint} names={names} onChanged={onChanged} />
        </Disclosure>
      </>
    )}
  </>
)

function Editor({
  endpoint,
  names,
  onChanged,
}: {
  endpoint: Endpoint
  names: AgentNames
  onChanged: () => void
}) {
  const { client } = useConnection()
  const save = async (draft: EndpointDraft) => {
    // The form can't be sent while nothing differs; the service would reject an empty patch.
    const body = patchOf(endpoint, draft) ?? {}
    await client.call('PATCH /events/endpoints/{id}', { path: { id: endpoint.id }, body })
    onChanged()
  }
  return <EndpointForm endpoint={endpoint} agentNames={names} label="Save" send={save} />
}

/** The texts of `disabledReason`. */
const REASONS = {
  paused: 'paused: events wait for up to 30 days',
  gone: 'disabled: it returned 410 Gone',
  failing: 'disabled: every delivery failed for five days',
  full: 'paused: more than 10,000 deliveries were waiting',
}

/**
 * The badges of `proof`. `new`: it has not answered the confirmation request with 2xx. `unconfirmed`: it has,
 * but not with the SHA-256 of the challenge.
 */
const PROOFS = {
  new: <Badge tone="plain">not confirmed yet</Badge>,
  unconfirmed: <Badge tone="warn">not confirmed: limited to 30 events, then 4 an hour</Badge>,
  proven: <Badge tone="good">confirmed</Badge>,
}

/** The texts of `unconfirmedReason`: what the endpoint answered to the confirmation request. */
const ANSWERED = {
  empty_body:
    'It answered the confirmation request without a body. The SHA-256 of the challenge is expected.',
  challenge_returned:
    'It answered the confirmation request with the challenge itself. The SHA-256 of the challenge is expected.',
  other_body:
    'It answered the confirmation request with another text than the SHA-256 of the challenge, in hexadecimal.',
}

function State({ endpoint: { enabled, disabledReason, failingSince, proof } }: { endpoint: Endpoint }) {
  if (!enabled) return <Badge tone="warn">{disabledReason ? REASONS[disabledReason] : 'disabled'}</Badge>
  if (failingSince)
    return (
      <>
        <Badge tone="bad">failing</Badge> since <Time at={failingSince} />
      </>
    )
  return PROOFS[proof]
}

/** Sends the endpoint's challenge back, for a receiver that can't answer it. */
function Confirmation({ endpoint: { id }, onChanged }: { endpoint: Endpoint; onChanged: () => void }) {
  const { client } = useConnection()
  const [challenge, change] = useState('')
  const confirm = async () => {
    await client.call('POST /events/endpoints/{id}/confirm', {
      path: { id },
      body: { challenge: challenge.trim() },
    })
    onChanged()
  }
  return (
    <Form action={confirm} label="Confirm" isDisabled={challenge.trim() === ''}>
      <TextField
        name="challenge"
        label="Challenge"
        hint="Copy data.challenge from the endpoint.verification event that your server received first. A server that answers it with the SHA-256 of the challenge is confirmed automatically."
        value={challenge}
        change={change}
      />
    </Form>
  )
}
