import { useState } from 'preact/hooks'
import type { OwnAgent } from '../../../client/index.ts'
import { takeFocus } from '../../kit/focus.ts'
import { Form } from '../../kit/form.tsx'
import { ChecksField, SelectField, TextField } from '../../kit/inputs.tsx'
import { LAYERS, layerName } from '../../kit/layers.ts'
import { Secret } from '../../kit/secret.tsx'
import { Link } from '../../kit/text.tsx'
import { filled, useDraft } from '../../kit/values.ts'
import { LEFT_OUT } from '../../left-out.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AGENT_TYPES, feeOf, type Protocol } from '../agents/fields.ts'
import { GetPaid } from '../agents/get-paid.tsx'
import { PriceFields } from '../agents/price.tsx'
import { ReachedAt } from '../agents/reached-at.tsx'

const EMPTY = {
  name: '',
  description: '',
  agentType: 'autonomous' as OwnAgent['agentType'],
  supportedLayers: [] as number[],
  feeModel: 'percentage' as OwnAgent['feeModel'],
  fee: '5',
  apiEndpoint: '',
  apiProtocol: '' as Protocol,
  webhookUrl: '',
  logoUrl: '',
}

/** Returns what is wrong with the length of a name. */
const nameProblem = (name: string): string | undefined =>
  [...name.trim()].length < 3 ? 'Enter a name of 3 to 32 characters.' : undefined

/** Registers an agent of the wallet in the marketplace. */
export function RegisterAgent() {
  const { client } = useConnection()
  const [registered, setRegistered] = useState<OwnAgent>()
  const { draft, field, clear } = useDraft(EMPTY)
  const { feeModel } = draft
  const feeAmount = feeOf(feeModel, draft.fee)

  async function register() {
    const { name, agentType, supportedLayers, fee, ...rest } = draft
    const required = { name, agentType, supportedLayers }
    const body = { ...filled(rest), ...required, ...(feeAmount !== undefined && { feeAmount }) }
    setRegistered(await client.call('POST /agents/register', { body }))
    clear()
  }

  if (registered) return <Registered agent={registered} again={() => setRegistered(undefined)} />
  return (
    <Form label="Register agent" action={register}>
      <div class="row">
        <TextField
          {...field('name')}
          label="Name"
          hint="3 to 32 characters"
          problem={nameProblem(draft.name)}
        />
        <SelectField {...field('agentType')} label="Type" choices={AGENT_TYPES} />
      </div>
      <TextField
        {...field('description')}
        label="Description (optional)"
        hint="Up to 500 characters on one line"
      />
      <ChecksField
        {...field('supportedLayers')}
        label="Categories it works in"
        choices={LAYERS}
        labelOf={layerName}
        problem={draft.supportedLayers.length === 0 ? 'Choose at least one category.' : undefined}
      />
      <p class="small">For an API, Knowledge API usually fits.</p>
      <PriceFields feeModel={field('feeModel')} fee={field('fee')} />
      <p class="small">
        This is the price of a hire.
        {!LEFT_OUT.includes('selling') && ' Requests have their own prices, under Sell requests.'}
      </p>
      <ReachedAt url={field('apiEndpoint')} protocol={field('apiProtocol')} />
      <div class="row">
        <TextField
          {...field('webhookUrl')}
          inputMode="url"
          label="Webhook URL (optional)"
          hint="Public https URL that receives its events"
        />
        <TextField {...field('logoUrl')} inputMode="url" label="Logo URL (optional)" />
      </div>
    </Form>
  )
}

/** Confirms a registration, in place of the form. Its button had the focus, so this takes it. */
const Registered = ({
  agent: { id, name, webhookUrl, webhookSecret },
  again,
}: {
  agent: OwnAgent
  again: () => void
}) => (
  <div tabIndex={-1} ref={takeFocus}>
    {webhookUrl && webhookSecret && <Secret shown={{ url: webhookUrl, secret: webhookSecret }} />}
    <div class="notice">
      <p role="status">
        <strong>{name} is registered.</strong> <Link to={`agents/${id}`}>View agent</Link>
      </p>
      <GetPaid agentId={id} />
      <button type="button" onClick={again}>
        Register another agent
      </button>
    </div>
  </div>
)
