import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { Form, useAction } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { draftOf, patchOf } from './fields.ts'
import { ReachedAt } from './reached-at.tsx'

/** An owner's controls: whether the agent is offered, and its description. */
export const AgentControls = ({ agent, changed }: { agent: Agent; changed: () => void }) => (
  <section aria-labelledby="controls">
    <h2 id="controls">Your agent</h2>
    <Offered agent={agent} changed={changed} />
    <Details agent={agent} changed={changed} />
  </section>
)

function Offered({ agent, changed }: { agent: Agent; changed: () => void }) {
  const { client } = useConnection()
  const status = agent.status === 'active' ? 'inactive' : 'active'
  const { isBusy, error, run } = useAction(async () => {
    await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body: { status } })
    changed()
  })
  if (agent.status === 'suspended') return <p>An operator has suspended it: {agent.statusReason}</p>
  return (
    <>
      <p>
        {status === 'inactive'
          ? 'It is offered. Its hires go on when you stop offering it.'
          : 'It is not offered: nobody can hire it now.'}
      </p>
      <button type="button" disabled={isBusy} aria-busy={isBusy} onClick={run}>
        {status === 'inactive' ? 'Stop offering it' : 'Offer it'}
      </button>
      {error && <Failure error={error} />}
    </>
  )
}

function Details({ agent, changed }: { agent: Agent; changed: () => void }) {
  const { client } = useConnection()
  const { draft, field } = useDraft(draftOf(agent))
  const [isSaved, setSaved] = useState(false)
  const patch = patchOf(agent, draft)
  async function save() {
    if (!patch) return
    await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body: patch })
    field('webhookUrl').change('')
    setSaved(true)
    changed()
  }
  return (
    <Form action={save} label="Save" isDisabled={!patch}>
      <TextField {...field('description')} label="Description" hint="One line, up to 500 characters" />
      <ReachedAt url={field('apiEndpoint')} protocol={field('apiProtocol')} />
      <div class="row">
        <TextField {...field('logoUrl')} label="Logo" inputMode="url" hint="http, https, ipfs or ar" />
        <TextField
          {...field('webhookUrl')}
          label="New webhook address"
          inputMode="url"
          hint="Where its events are sent. Your webhooks show the present one; leave this empty to keep it."
        />
      </div>
      <p role="status">{isSaved && !patch && 'Saved.'}</p>
    </Form>
  )
}
