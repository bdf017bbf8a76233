import { useState } from 'preact/hooks'
import { EVENT_TYPES } from '../../../client/generated/facts.ts'
import type { Endpoint } from '../../../client/index.ts'
import { Form } from '../../kit/form.tsx'
import { ChecksField, TextField } from '../../kit/inputs.tsx'
import { useDraft } from '../../kit/values.ts'
import { type AgentNames, draftOf, type EndpointDraft, patchOf } from './endpoint-draft.ts'

/** The event types that an endpoint can select. Test events are sent without being selected. */
const CHOICES = EVENT_TYPES.filter((type) => type !== 'endpoint.test')

const AGENTS_PER_PAGE = 24

/**
 * A form for a webhook endpoint: its URL, its name, and the events that the service sends to it.
 * @param endpoint the endpoint to edit. Without it the form is for a new endpoint, and is emptied once it was
 *   sent
 * @param agentNames the wallet's agents, to select those whose events are sent
 * @param label of the button
 */
export function EndpointForm({
  endpoint,
  agentNames,
  label,
  send,
}: {
  endpoint?: Endpoint
  agentNames: AgentNames
  label: string
  send: (draft: EndpointDraft) => Promise<void>
}) {
  const { draft, field, clear } = useDraft(draftOf(endpoint))
  const [isSaved, setSaved] = useState(false)
  const isChanged = !endpoint || patchOf(endpoint, draft) !== undefined
  const isUrlChanged = endpoint && draft.url.trim() !== endpoint.url
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
            isUrlChanged
              ? 'The new URL must be confirmed first. Events that wait for the old URL are not sent to the new one.'
              : DEVELOPMENT // The local platform also accepts endpoints on this machine (globals.d.ts).
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
      {agentNames.size > 0 && (
        <ChecksField
          {...field('agentIds')}
          label="Agents (all if none is selected)"
          choices={[...agentNames.keys()]}
          labelOf={(id) => agentNames.get(id) ?? id}
          pageSize={AGENTS_PER_PAGE}
        />
      )}
      {/* Shown while the fields have the saved values, also after an edit that was undone by hand. */}
      {endpoint && <p role="status">{isSaved && !isChanged && 'Saved.'}</p>}
    </Form>
  )
}
