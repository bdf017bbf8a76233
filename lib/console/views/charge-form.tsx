import { useState } from 'preact/hooks'
import type { Charge, HirerHire } from '../../client/generated/types.ts'
import { Form } from '../kit/form.tsx'
import { AmountField, TextField, useAmount } from '../kit/inputs.tsx'
import { Cred } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { amountOf, type ChargeDraft, chargeRequest, parseUnits } from './charge-draft.ts'

/** Charges for work on a hire, by the fee that the hire has. */
export function ChargeForm({ hire, charged }: { hire: HirerHire; charged: () => void }) {
  const { client } = useConnection()
  const [reference, setReference] = useState('')
  const [description, setDescription] = useState('')
  const [units, setUnits] = useState('1')
  const captured = useAmount()
  const share = useAmount()
  const [charge, setCharge] = useState<Charge>()
  const draft: ChargeDraft = {
    reference,
    description,
    units: parseUnits(units),
    capturedValue: captured.typed.amount,
    share: share.typed.amount,
  }
  const amount = amountOf(hire, draft)
  async function send() {
    setCharge(await client.call('POST /payments/charges', { body: chargeRequest(hire, draft) }))
    setReference('')
    charged()
  }
  return (
    <Form action={send} label="Charge" isDisabled={!amount || reference.trim() === ''}>
      <div class="row">
        <TextField
          name="reference"
          label="Your reference"
          hint="Once for each charge: the same again changes nothing."
          value={reference}
          change={setReference}
        />
        {hire.feeModel !== 'percentage' && (
          <TextField name="units" label="Units" inputMode="numeric" value={units} change={setUnits} />
        )}
        {hire.feeModel !== 'flat' && (
          <AmountField name="capturedValue" label="Captured for the hirer, in CRED" {...captured} />
        )}
        {hire.feeModel === 'hybrid' && (
          <AmountField name="share" label="Your share of it, in CRED" {...share} />
        )}
        <TextField name="description" label="What for" value={description} change={setDescription} />
      </div>
      {amount !== undefined && (
        <p>
          It comes to <Cred amount={amount} />.
        </p>
      )}
      <p role="status">
        {charge && (
          <>
            <code>{charge.reference}</code> is charged: <Cred amount={charge.amount} />.
          </>
        )}
      </p>
    </Form>
  )
}
