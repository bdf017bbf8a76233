import { useState } from 'preact/hooks'
import type { RegistryCatalog } from '../../client/index.ts'
import { Field, Form } from '../kit/form.tsx'
import { ChecksField, SelectField, TextField } from '../kit/inputs.tsx'
import { useTexts } from '../kit/values.ts'
import { useConnection } from '../wallet/connection.tsx'
import { PROTOCOLS } from './api-protocols.ts'
import { type Draft, draftOf, messageFor } from './registration-draft.ts'

const TEXTS = [
  'pubkey',
  'name',
  'feeAmount',
  'description',
  'website',
  'apiEndpoint',
  'logoUrl',
  'contactEmail',
  'serviceManifest',
] as const

type Capability = RegistryCatalog['capabilities'][number]['id']

/** Asks what the registration is to say, and has the service write the message. */
export function RegistrationForm({
  wallet,
  catalog,
  drafted,
}: {
  wallet: string
  catalog: RegistryCatalog
  drafted: (draft: Draft) => void
}) {
  const { client } = useConnection()
  const { texts, bound, given } = useTexts(TEXTS, { pubkey: wallet })
  const [agentType, setAgentType] = useState<RegistryCatalog['agentTypes'][number]['id']>('data')
  const [feeModel, setFeeModel] = useState<RegistryCatalog['feeModels'][number]['id']>('free')
  const [capabilities, setCapabilities] = useState<Capability[]>([])
  const [apiProtocol, setProtocol] = useState<keyof typeof PROTOCOLS>('')
  async function write() {
    const draft = draftOf(given(), { pubkey: texts.pubkey, agentType, feeModel, capabilities, apiProtocol })
    drafted(await messageFor(client, draft))
  }
  return (
    <Form label="Show the message to sign" action={write}>
      <TextField
        {...bound('pubkey')}
        label="The agent’s key"
        hint="Base58; the connected wallet’s unless changed"
      />
      <div class="row">
        <TextField {...bound('name')} label="Name" hint="Up to 64 characters" />
        <SelectField
          name="agentType"
          label="Type"
          value={agentType}
          change={setAgentType}
          choices={meaningsOf(catalog.agentTypes)}
        />
      </div>
      <ChecksField
        name="capabilities"
        label="What it can do"
        choices={catalog.capabilities.map(({ id }) => id)}
        chosen={capabilities}
        change={setCapabilities}
      />
      <div class="row">
        <SelectField
          name="feeModel"
          label="It charges"
          value={feeModel}
          change={setFeeModel}
          choices={meaningsOf(catalog.feeModels)}
        />
        {feeModel !== 'free' && (
          <TextField
            {...bound('feeAmount')}
            inputMode="numeric"
            label="Fee"
            hint={`In ${catalog.feeModels.find(({ id }) => id === feeModel)?.unit}`}
          />
        )}
      </div>
      <TextField {...bound('description')} label="What it does (optional)" />
      <div class="row">
        <TextField {...bound('apiEndpoint')} inputMode="url" label="Its endpoint (optional)" />
        <SelectField
          name="apiProtocol"
          label="The endpoint speaks"
          value={apiProtocol}
          change={setProtocol}
          choices={PROTOCOLS}
        />
      </div>
      <div class="row">
        <TextField {...bound('website')} inputMode="url" label="Website (optional)" />
        <TextField {...bound('logoUrl')} inputMode="url" label="Logo (optional)" />
        <TextField {...bound('contactEmail')} label="E-mail (optional)" hint="For the service; never shown" />
      </div>
      <Field
        name="serviceManifest"
        label="Service manifest (optional)"
        hint="JSON. It becomes a part of the message, and is shown as declared, never as verified"
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            value={texts.serviceManifest}
            onInput={(event) => bound('serviceManifest').change(event.currentTarget.value)}
          />
        )}
      </Field>
    </Form>
  )
}

/** `defi: trades and lends …`, by the catalog's own words. */
const meaningsOf = <Id extends string>(entries: readonly { id: Id; meaning: string }[]) =>
  Object.fromEntries(entries.map(({ id, meaning }) => [id, `${id}: ${meaning}`])) as Record<Id, string>
