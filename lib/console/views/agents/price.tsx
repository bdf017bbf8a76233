import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { amountOf } from '../../kit/amounts.ts'
import { FeeShare, Received } from '../../kit/fee.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, SelectField } from '../../kit/inputs.tsx'
import { type Bound, useDraft } from '../../kit/values.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { feeOf, feeText, feeUnit } from './fields.ts'

type FeeModel = Agent['feeModel']

const FEE_MODELS: Record<FeeModel, string> = {
  percentage: 'Percentage of value earned',
  flat: 'Fixed price per unit',
  hybrid: 'Fixed price per unit, plus a share',
}

/**
 * The fields of a price: how it is computed, and the percentage or the CRED of a unit. A percentage never
 * becomes an amount, nor the reverse.
 */
export const PriceFields = ({ feeModel, fee }: { feeModel: Bound<FeeModel>; fee: Bound<string> }) => (
  <>
    <div class="row">
      <SelectField
        {...feeModel}
        label="Pricing"
        choices={FEE_MODELS}
        change={(chosen) => {
          feeModel.change(chosen)
          if ((chosen === 'percentage') !== (feeModel.value === 'percentage')) fee.change('')
        }}
      />
      <AmountField
        {...fee}
        name="feeAmount"
        label={feeModel.value === 'percentage' ? 'Percentage' : 'Price per unit, in CRED'}
        unit={feeUnit(feeModel.value)}
        isRequired
      />
    </div>
    {feeModel.value === 'percentage' ? <FeeShare isOwner /> : <Received amount={amountOf(fee.value) ?? 0n} />}
  </>
)

/** Sets the price of an agent for later hires. */
export function PriceForm({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { client } = useConnection()
  const { draft, field } = useDraft({ feeModel: agent.feeModel, fee: feeText(agent) })
  const [isSaved, setSaved] = useState(false)
  const { feeModel } = draft
  const feeAmount = feeOf(feeModel, draft.fee)
  const isSame = feeModel === agent.feeModel && feeAmount === agent.feeAmount
  async function save() {
    if (feeAmount === undefined) return
    const body = { feeModel, feeAmount }
    await client.call('PATCH /agents/{id}', { path: { id: agent.id }, body })
    setSaved(true)
    onChanged()
  }
  return (
    <Form action={save} label="Change price" isDisabled={feeAmount === undefined || isSame}>
      <h3 id="price">Price</h3>
      <p class="small">A new price applies to new hires. Current hires keep the price they started with.</p>
      <PriceFields feeModel={field('feeModel')} fee={field('fee')} />
      <p role="status">{isSaved && isSame && 'Price changed.'}</p>
    </Form>
  )
}
