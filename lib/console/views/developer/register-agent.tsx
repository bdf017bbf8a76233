import { useState } from 'preact/hooks'
import type { OwnAgent } from '../../../client/index.ts'
import { Form } from '../../kit/form.tsx'
import { ChecksField, SelectField, TextField } from '../../kit/inputs.tsx'
import { LAYERS, layerWords } from '../../kit/layers.ts'
import { Link } from '../../kit/text.tsx'
import { filled, useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AGENT_TYPES, feeOf, type Protocol } from '../agents/fields.ts'
import { ReachedAt } from '../agents/reached-at.tsx'

const FEE_MODELS = {
  percentage: 'Percentage of value earned',
  flat: 'Fixed price per unit',
  hybrid: 'Fixed price per unit, plus a share',
}

const EMPTY = {
  name: '',
  description: '',
  agentType: 'autonomous' as OwnAgent['agentType'],
  supportedLayers: [] as number[],
  feeModel: 'percentage' as keyof typeof FEE_MODELS,
  fee: '5',
  apiEndpoint: '',
  apiProtocol: '' as Protocol,
  webhookUrl: '',
  logoUrl: '',
}

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

  return (
    <>
      {registered && (
        <p class="notice" role="status">
          <strong>{registered.name} is registered.</strong>{' '}
          <Link to={`agents/${registered.id}`}>View agent</Link> or register another.
        </p>
      )}
      <Form label="Register agent" action={register} isDisabled={feeAmount === undefined}>
        <div class="row">
          <TextField {...field('name')} label="Name" hint="3 to 32 characters" />
          <SelectField {...field('agentType')} label="Type" choices={AGENT_TYPES} />
        </div>
        <TextField
          {...field('description')}
          label="Description (optional)"
          hint="Up to 500 characters on one line"
        />
        <ChecksField
          {...field('supportedLayers')}
          label="Layers it works on"
          choices={LAYERS}
          words={layerWords}
        />
        <div class="row">
          <SelectField {...field('feeModel')} label="Pricing" choices={FEE_MODELS} />
          <TextField
            {...field('fee')}
            name="feeAmount"
            label={feeModel === 'percentage' ? 'Percentage' : 'Price per unit, in CRED'}
            hint={feeAmount === undefined ? <FeeFault feeModel={feeModel} /> : undefined}
          />
        </div>
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
    </>
  )
}

const FeeFault = ({ feeModel }: { feeModel: keyof typeof FEE_MODELS }) => (
  <span class="bad">
    {feeModel === 'percentage'
      ? 'Enter a number from 0 to 100, with at most two decimals.'
      : 'Enter a number such as 1,500.25, with at most nine decimals.'}
  </span>
)
