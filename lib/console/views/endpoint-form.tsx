import { useState } from 'preact/hooks'
import type { NewEndpoint } from '../../client/index.ts'
import { Form } from '../kit/form.tsx'
import { ChecksField, TextField } from '../kit/inputs.tsx'
import { useTexts } from '../kit/values.ts'
import { useConnection } from '../wallet/connection.tsx'
import { EVENT_TYPES } from './event-types.ts'

/** A new endpoint: its address, and what it listens to. */
export function EndpointForm({ created }: { created: (endpoint: NewEndpoint) => void }) {
  const { client } = useConnection()
  const { texts, bound, given, clear } = useTexts(['url', 'description'])
  const [eventTypes, setEventTypes] = useState<typeof EVENT_TYPES>([])
  async function create() {
    const body = { ...given(), url: texts.url, eventTypes }
    created(await client.call('POST /events/endpoints', { body }))
    clear()
    setEventTypes([])
  }
  return (
    <>
      <h3>Add an endpoint</h3>
      <Form label="Add it" isDisabled={texts.url.trim() === ''} action={create}>
        <div class="row">
          <TextField {...bound('url')} inputMode="url" label="Address" hint="Public https on port 443" />
          <TextField {...bound('description')} label="Name (optional)" hint="For yourself" />
        </div>
        <ChecksField
          name="eventTypes"
          label="Only these events; none ticked is all"
          choices={EVENT_TYPES}
          chosen={eventTypes}
          change={setEventTypes}
        />
      </Form>
    </>
  )
}
