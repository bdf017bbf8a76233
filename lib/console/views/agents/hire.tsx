import { useState } from 'preact/hooks'
import type { Agent, Hire } from '../../../client/generated/types.ts'
import { Form } from '../../kit/form.tsx'
import { AmountField, CheckField, ChecksField, TextField, useAmount } from '../../kit/inputs.tsx'
import { layerWords } from '../../kit/layers.ts'
import { Link, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'

/** Hires an agent: its layers, a budget for each period, and the term. */
export function HireForm({ agent, hired }: { agent: Agent; hired: () => void }) {
  const { client } = useConnection()
  const [layers, setLayers] = useState<number[]>(agent.supportedLayers)
  const budget = useAmount('100')
  const [days, setDays] = useState('30')
  const [autoRenew, setAutoRenew] = useState(false)
  const [hire, setHire] = useState<Hire>()
  const isUnlimited = budget.typed.text.trim() === ''
  async function order() {
    const made = await client.hire({
      agentId: agent.id,
      layers,
      expiresInDays: Number(days),
      autoRenew,
      ...(budget.typed.amount !== undefined && { budgetLimit: budget.typed.amount }),
    })
    setHire(made)
    hired()
  }
  return (
    <>
      <p class="small">
        Hiring moves no money. The agent’s owner charges for its work, within your budget, and is paid out of
        an account of yours that you fund when you want to.
      </p>
      <Form
        action={order}
        label="Hire"
        isDisabled={layers.length === 0 || (!isUnlimited && budget.typed.amount === undefined)}
      >
        <ChecksField
          name="layers"
          label="Layers that it may work on"
          choices={agent.supportedLayers}
          words={layerWords}
          value={layers}
          change={setLayers}
        />
        <div class="row">
          <AmountField
            name="budgetLimit"
            label="Budget of each period, in CRED"
            hint={isUnlimited ? 'Without a limit.' : 'Empty for no limit.'}
            {...budget}
          />
          <TextField
            name="expiresInDays"
            label="Period in days"
            inputMode="numeric"
            hint="From 1 to 365."
            value={days}
            change={setDays}
          />
        </div>
        <CheckField label="Renew at the end of each period" isChecked={autoRenew} change={setAutoRenew} />
      </Form>
      {hire && (
        <div class="notice" role="status">
          <p>
            <strong>
              Hired until <Time at={hire.expiresAt} />.
            </strong>
          </p>
          <p>
            <Link to="hires">Go to your hires</Link> to fund its budget account.
          </p>
        </div>
      )}
    </>
  )
}
