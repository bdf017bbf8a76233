import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { Form } from '../../kit/form.tsx'
import { TextField } from '../../kit/inputs.tsx'
import { useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'

/** The agent's endpoint URL: customers find the API there, and the copied server listens on its port. */
export function Address({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { client } = useConnection()
  const { draft, field } = useDraft({ apiEndpoint: agent.apiEndpoint ?? SUGGESTED })
  const [isSaved, setSaved] = useState(false)
  const apiEndpoint = draft.apiEndpoint.trim()
  const isSame = apiEndpoint === agent.apiEndpoint
  async function save() {
    await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body: { apiEndpoint } })
    setSaved(true)
    onChanged()
  }
  return (
    <section aria-labelledby="address">
      <h2 id="address">API address</h2>
      <p>
        Customers pay at this address: the server below listens here, and your routes are at its host. If your
        API already runs at it, move the API to another port. It is the agent’s endpoint URL, which its page
        shows.
      </p>
      <Form action={save} label="Save address" isDisabled={apiEndpoint === '' || isSame}>
        <TextField
          {...field('apiEndpoint')}
          inputMode="url"
          label="Endpoint URL"
          hint={
            DEVELOPMENT // The local platform also checks servers on this machine (globals.d.ts).
              ? 'Such as https://api.example.com, or http://localhost:3000 for a server on this machine.'
              : 'Such as https://api.example.com. The catalog needs a public https address.'
          }
        />
        <p role="status">{isSaved && isSame && 'Address saved.'}</p>
      </Form>
    </section>
  )
}

/** Where the copied server listens unless it is changed. */
const SUGGESTED = DEVELOPMENT ? 'http://localhost:3000' : ''
