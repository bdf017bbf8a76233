import { useState } from 'preact/hooks'
import type { AgentRegister, OwnAgent } from '../../client/index.ts'
import { Form } from '../kit/form.tsx'
import { ChecksField, SelectField, TextField } from '../kit/inputs.tsx'
import { Link } from '../kit/text.tsx'
import { useTexts } from '../kit/values.ts'
import { useConnection } from '../wallet/connection.tsx'
import { feeOf } from './agent-fee.ts'
import { PROTOCOLS } from './api-protocols.ts'

const TYPES = {
  autonomous: 'acts alone',
  'semi-autonomous': 'acts with a person',
  oracle: 'reports what is so',
}
const FEE_MODELS = {
  percentage: 'a share of what it captures',
  flat: 'an amount for each unit',
  hybrid: 'both',
}
const LAYERS = Array.from({ length: 22 }, (_, index) => index + 1)
const TEXTS = ['name', 'description', 'apiEndpoint', 'webhookUrl', 'logoUrl'] as const

/** Registers an agent of the wallet in the marketplace. */
export function RegisterAgent() {
  const { client } = useConnection()
  const [registered, setRegistered] = useState<OwnAgent>()
  const { texts, bound, given, clear } = useTexts(TEXTS)
  const [agentType, setAgentType] = useState<keyof typeof TYPES>('autonomous')
  const [supportedLayers, setLayers] = useState<number[]>([])
  const [feeModel, setFeeModel] = useState<keyof typeof FEE_MODELS>('percentage')
  const [fee, setFee] = useState('5')
  const [apiProtocol, setProtocol] = useState<keyof typeof PROTOCOLS>('')
  const feeAmount = feeOf(feeModel, fee)

  async function register() {
    const body: AgentRegister = {
      ...given(),
      name: texts.name,
      agentType,
      supportedLayers,
      feeModel,
      ...(feeAmount !== undefined && { feeAmount }),
      ...(apiProtocol && { apiProtocol }),
    }
    setRegistered(await client.call('POST /agents/register', { body }))
    clear()
  }

  return (
    <>
      {registered && (
        <p class="notice" role="status">
          <strong>{registered.name} is registered.</strong>{' '}
          <Link to={`agents/${registered.id}`}>Look at its page</Link>, or register another.
        </p>
      )}
      <Form label="Register the agent" action={register} isDisabled={feeAmount === undefined}>
        <div class="row">
          <TextField {...bound('name')} label="Name" hint="3 to 32 characters" />
          <SelectField
            name="agentType"
            label="Type"
            value={agentType}
            change={setAgentType}
            choices={TYPES}
          />
        </div>
        <TextField {...bound('description')} label="What it does (optional)" hint="One line" />
        <ChecksField
          name="supportedLayers"
          label="Capture layers that it works on"
          choices={LAYERS}
          chosen={supportedLayers}
          change={setLayers}
        />
        <div class="row">
          <SelectField
            name="feeModel"
            label="It charges"
            value={feeModel}
            change={setFeeModel}
            choices={FEE_MODELS}
          />
          <TextField
            name="feeAmount"
            label={feeModel === 'percentage' ? 'Share in percent' : 'Amount in CRED a unit'}
            hint={feeAmount === undefined ? <FeeFault feeModel={feeModel} /> : undefined}
            value={fee}
            change={setFee}
          />
        </div>
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
          <TextField
            {...bound('webhookUrl')}
            inputMode="url"
            label="Its webhook (optional)"
            hint="Public https; its events are sent there"
          />
          <TextField {...bound('logoUrl')} inputMode="url" label="Its logo (optional)" />
        </div>
      </Form>
    </>
  )
}

const FeeFault = ({ feeModel }: { feeModel: keyof typeof FEE_MODELS }) => (
  <span class="bad">
    {feeModel === 'percentage'
      ? 'From 0 to 100, with at most two decimals.'
      : 'A number, with at most nine decimals.'}
  </span>
)
