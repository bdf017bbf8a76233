import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { Failure } from '../../kit/loaded.tsx'
import { Secret, type Shown } from '../../kit/secret.tsx'
import { useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { draftOf, patchOf } from './fields.ts'
import { PriceForm } from './price.tsx'
import { ReachedAt } from './reached-at.tsx'

/** An owner's controls: whether the agent can be hired, its price, and its description. */
export const AgentControls = ({ agent, onChanged }: { agent: Agent; onChanged: () => void }) => (
  <section aria-labelledby="controls">
    <h2 id="controls">Manage agent</h2>
    <Offered agent={agent} onChanged={onChanged} />
    <PriceForm agent={agent} onChanged={onChanged} />
    <Details agent={agent} onChanged={onChanged} />
  </section>
)

function Offered({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { client } = useConnection()
  const status = agent.status === 'active' ? 'inactive' : 'active'
  const { isBusy, error, run } = useAction(async () => {
    await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body: { status } })
    onChanged()
  })
  if (agent.status === 'suspended') return <p>Suspended by the operator: {agent.statusReason}</p>
  return (
    <>
      <p>
        {status === 'inactive'
          ? 'This agent is in the market. If you deactivate it, current hires continue.'
          : 'This agent is inactive and can’t be hired.'}
      </p>
      <Button isBusy={isBusy} onClick={run}>
        {status === 'inactive' ? 'Deactivate' : 'Activate'}
      </Button>
      {error && <Failure error={error} />}
    </>
  )
}

function Details({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { client } = useConnection()
  const { draft, field } = useDraft(draftOf(agent))
  const [isSaved, setSaved] = useState(false)
  const [shown, show] = useState<Shown>()
  const patch = patchOf(agent, draft)
  async function save() {
    if (!patch) return
    const saved = await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body: patch })
    // A later save has no secret. The shown one stays, so that it can be copied.
    if (saved.webhookUrl && saved.webhookSecret) show({ url: saved.webhookUrl, secret: saved.webhookSecret })
    field('webhookUrl').change('')
    setSaved(true)
    onChanged()
  }
  return (
    <Form action={save} label="Save" isDisabled={!patch}>
      <TextField {...field('description')} label="Description" hint="Up to 500 characters on one line" />
      <ReachedAt url={field('apiEndpoint')} protocol={field('apiProtocol')} />
      <div class="row">
        <TextField {...field('logoUrl')} label="Logo URL" inputMode="url" hint="http, https, ipfs or ar" />
        <TextField
          {...field('webhookUrl')}
          label="New webhook URL"
          inputMode="url"
          hint="Receives this agent’s events. Leave empty to keep the current one, which is under Webhooks."
        />
      </div>
      <p role="status">{isSaved && !patch && 'Saved.'}</p>
      {shown && <Secret shown={shown} />}
    </Form>
  )
}
