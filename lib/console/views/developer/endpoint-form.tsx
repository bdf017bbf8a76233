import { useState } from 'preact/hooks'
import { EVENT_TYPES } from '../../../client/generated/facts.ts'
import type { Endpoint } from '../../../client/index.ts'
import { Form } from '../../kit/form.tsx'
import { ChecksField, TextField } from '../../kit/inputs.tsx'
import { useDraft } from '../../kit/values.ts'
import { type AgentNames, draftOf, type EndpointDraft, patchOf } from './endpoint-draft.ts'

/** The event types that an endpoint may choose. A test event needs no choice. */
const CHOICES = EVENT_TYPES.filter((type) => type !== 'endpoint.test')

const AGENTS_SHOWN = 24

/**
 * The fields of an endpoint: its address, and the events it listens to.
 * @param endpoint the one that is changed; without it a new one is made, and the form is empty again then
 * @param names of the agents that it can listen to
 */
export function EndpointForm({
  endpoint,
  names,
  label,
  send,
}: {
  endpoint?: Endpoint
  names: AgentNames
  label: string
  send: (draft: EndpointDraft) => Promise<void>
}) {
  const { draft, field, clear } = useDraft(draftOf(endpoint))
  const [isSaved, setSaved] = useState(false)
  const isChanged = !endpoint || patchOf(endpoint, draft) !== undefined
  const isMoved = endpoint && draft.url.trim() !== endpoint.url
  async function submit() {
    await send(draft)
    if (endpoint) setSaved(true)
    else clear()
  }
  return (
    <Form label={label} isDisabled={draft.url.trim() === '' || !isChanged} action={submit}>
      <div class="row">
        <TextField
          {...field('url')}
          inputMode="url"
          label="Endpoint URL"
          hint={
            isMoved
              ? 'The new URL must be confirmed first. Events waiting for the old URL are not sent to it.'
              : DEVELOPMENT
                ? 'Public https URL on port 443, or http on this machine'
                : 'Public https URL on port 443'
          }
        />
        <TextField {...field('description')} label="Name (optional)" hint="Only you see it" />
      </div>
      <ChecksField
        {...field('eventTypes')}
        label="Events to send (all if none is selected)"
        choices={CHOICES}
      />
      {names.size > 0 && (
        <ChecksField
          {...field('agentIds')}
          label="Agents (all if none is selected)"
          choices={[...names.keys()]}
          words={(id) => names.get(id) ?? id}
          most={AGENTS_SHOWN}
        />
      )}
      {endpoint && <p role="status">{isSaved && !isChanged && 'Saved.'}</p>}
    </Form>
  )
}
