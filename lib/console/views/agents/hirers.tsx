import { useState } from 'preact/hooks'
import type { Agent, Charge, HirerHire } from '../../../client/generated/types.ts'
import { wholeUnit } from '../../kit/amounts.ts'
import { Confirmed, Disclosure } from '../../kit/disclosure.tsx'
import { Form } from '../../kit/form.tsx'
import { AmountField, TextField, useAmount } from '../../kit/inputs.tsx'
import { Empty } from '../../kit/loaded.tsx'
import { Layers } from '../../kit/marks.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Cred, Id, Wallet } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Charges } from '../hires/charges.tsx'
import { BudgetMeter, HireStatus } from '../hires/facts.tsx'
import { amountOf, type ChargeDraft, chargeRequest } from './charge-draft.ts'
import { Fee } from './facts.tsx'

/** Lists an agent's hires for its owner, each with a form to charge it. */
export function AgentHirers({ agent }: { agent: Agent }) {
  const { client } = useConnection()
  return (
    <section aria-labelledby="hirers">
      <h2 id="hirers">Hires</h2>
      <Listed
        listKey={agent.id}
        shape="stack"
        ask={async (cursor, signal) => {
          const { hires, nextCursor } = await client.call('GET /agents/{id}/hires', {
            path: { id: agent.id },
            query: { cursor },
            signal,
          })
          return { entries: hires, nextCursor }
        }}
        isAbout={ofAgent(agent.id, 'hire', 'charge')}
        empty={<Empty title="No hires yet." />}
      >
        {(hires, reload) => (
          <ul class="stack">
            {hires.map((hire) => (
              <Hirer key={hire.id} hire={hire} onChanged={reload} />
            ))}
          </ul>
        )}
      </Listed>
    </section>
  )
}

function Hirer({ hire, onChanged }: { hire: HirerHire; onChanged: () => void }) {
  const { client } = useConnection()
  const [reloads, setReloads] = useState(0)
  function onCharged() {
    setReloads(reloads + 1)
    onChanged()
  }
  return (
    <li class="card">
      <h3>
        <Wallet address={hire.hirer} /> <HireStatus hire={hire} />
      </h3>
      <BudgetMeter hire={hire} />
      <p class="small">
        Price: <Fee terms={hire} />
      </p>
      <p class="small">
        Hire ID: <Id id={hire.id} name="hire ID" />
      </p>
      <Layers layers={hire.layersEnabled} />
      {hire.status === 'active' && (
        <Disclosure summary="Charge for work">
          <ChargeForm hire={hire} onCharged={onCharged} />
        </Disclosure>
      )}
      <Disclosure summary="Charges">
        <Charges query={{ role: 'owner', hireId: hire.id }} reloads={reloads} />
      </Disclosure>
      {hire.status === 'active' && (
        <Confirmed
          label="End hire"
          question="The hire ends now and can’t be resumed. The hirer is notified, and you can collect existing charges for 30 more days."
          action={async () => {
            await client.call('DELETE /agents/hire', { query: { id: hire.id } })
            onChanged()
          }}
        />
      )}
    </li>
  )
}

const UNITS = wholeUnit('units')

/** Charges for work on a hire, by the fee that the hire has. */
function ChargeForm({ hire, onCharged }: { hire: HirerHire; onCharged: () => void }) {
  const { client } = useConnection()
  const [reference, setReference] = useState('')
  const [description, setDescription] = useState('')
  const units = useAmount('1', UNITS)
  const captured = useAmount()
  const share = useAmount()
  const [charge, setCharge] = useState<Charge>()
  const draft: ChargeDraft = {
    reference,
    description,
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
    onCharged()
  }
  return (
    <Form action={send} label="Charge" isDisabled={!amount || reference.trim() === ''}>
      <div class="row">
        <TextField
          name="reference"
          label="Reference"
          hint="Unique per charge. Sending it again does not charge twice."
          value={reference}
          change={setReference}
        />
        {hire.feeModel !== 'percentage' && <AmountField name="units" label="Units" {...units} />}
        {hire.feeModel !== 'flat' && (
          <AmountField name="capturedValue" label="Value earned for the hirer, in CRED" {...captured} />
        )}
        {hire.feeModel === 'hybrid' && <AmountField name="share" label="Your share, in CRED" {...share} />}
        <TextField name="description" label="Note (optional)" value={description} change={setDescription} />
      </div>
      {amount !== undefined && (
        <p>
          Total: <Cred amount={amount} />
        </p>
      )}
      <p role="status">
        {charge && (
          <>
            Charged <Cred amount={charge.amount} /> for <code>{charge.reference}</code>.
          </>
        )}
      </p>
    </Form>
  )
}
