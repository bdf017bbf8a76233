import { useState } from 'preact/hooks'
import type { Charge, Hire } from '../../../client/generated/types.ts'
import { wholeUnit } from '../../kit/amounts.ts'
import { Received } from '../../kit/fee.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, LinesField, TextField, useAmount } from '../../kit/inputs.tsx'
import { Cred, Link } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { amountOf, type ChargeDraft, chargeRequest } from './charge-draft.ts'

const UNITS = wholeUnit('units')

/** Returns a name for a first charge: the service's time to the second, such as `2026-11-29-093015`. */
const suggestedReference = (now: number): string =>
  new Date(now).toISOString().slice(0, 19).replace('T', '-').replaceAll(/:/g, '')

/** Charges for work on a hire, by the fee that the hire has. */
export function ChargeForm({ hire, onCharged }: { hire: Hire; onCharged: () => void }) {
  const { client, now } = useConnection()
  const [suggested] = useState(() => suggestedReference(now()))
  const [reference, setReference] = useState(suggested)
  const [description, setDescription] = useState('')
  const [result, setResult] = useState('')
  const units = useAmount('1', UNITS)
  const captured = useAmount()
  const share = useAmount()
  const [charge, setCharge] = useState<Charge>()
  const draft: ChargeDraft = {
    reference,
    description,
    result,
    units: units.amount,
    capturedValue: captured.amount,
    share: share.amount,
  }
  // Both may be empty, but an unclear one must not be left out.
  const isUnclear = captured.isUnclear || share.isUnclear
  const amount = isUnclear ? undefined : amountOf(hire, draft)
  async function send() {
    setCharge(await client.call('POST /payments/charges', { body: chargeRequest(hire, draft) }))
    setReference('')
    setDescription('')
    setResult('')
    units.change('1')
    captured.change('')
    share.change('')
    onCharged()
  }
  return (
    <Form action={send} label="Charge">
      <div class="row">
        <TextField
          name="reference"
          label="Reference"
          hint="Your own name for this charge. Sending it again does not charge twice."
          problem={
            reference.trim() === '' ? 'Enter a reference, such as the number of your invoice.' : undefined
          }
          value={reference}
          change={setReference}
        />
        {hire.feeModel !== 'percentage' && (
          <AmountField
            name="units"
            label="Units"
            isRequired
            min={hire.feeModel === 'flat' ? 1n : 0n}
            problem={hire.feeModel === 'hybrid' && amount === 0n ? 'Enter units or a share.' : undefined}
            {...units}
          />
        )}
        {hire.feeModel !== 'flat' && (
          <AmountField
            name="capturedValue"
            label="Value earned for the hirer, in CRED"
            isRequired={hire.feeModel === 'percentage'}
            problem={
              hire.feeModel === 'percentage' && amount === 0n ? 'Too low: it comes to no charge.' : undefined
            }
            {...captured}
          />
        )}
        {hire.feeModel === 'hybrid' && <AmountField name="share" label="Your share, in CRED" {...share} />}
        <TextField name="description" label="Note (optional)" value={description} change={setDescription} />
      </div>
      <LinesField
        name="result"
        label="Result (optional)"
        hint="What the work produced: a text or an https link, up to 2,000 characters. The hirer sees it above the amount."
        value={result}
        change={setResult}
      />
      {amount !== undefined && (
        <>
          <p>
            Total: <Cred amount={amount} />
          </p>
          <Received amount={amount} />
        </>
      )}
      <p role="status">
        {charge && reference === '' && (
          <>
            Charged <Cred amount={charge.amount} /> for <code>{charge.reference}</code>.{' '}
            <Link to={`charges/${charge.id}`}>View charge</Link>
          </>
        )}
      </p>
    </Form>
  )
}
