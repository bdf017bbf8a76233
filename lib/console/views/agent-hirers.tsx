import { useState } from 'preact/hooks'
import type { Agent, HirerHire } from '../../client/generated/types.ts'
import { Disclosure } from '../kit/disclosure.tsx'
import { Empty } from '../kit/loaded.tsx'
import { Listed } from '../kit/pages.tsx'
import { Wallet } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { Fee } from './agent-facts.tsx'
import { BudgetMeter } from './budget-meter.tsx'
import { ChargeForm } from './charge-form.tsx'
import { Charges } from './charges.tsx'
import { HireStatus } from './hire-status.tsx'

/** Who has hired an agent, as its owner sees it, with what to charge them for. */
export function AgentHirers({ agent }: { agent: Agent }) {
  const { client } = useConnection()
  return (
    <section aria-labelledby="hirers">
      <h2 id="hirers">Its hires</h2>
      <Listed
        of={agent.id}
        ask={async (cursor, signal) => {
          const { hires, nextCursor } = await client.call('GET /agents/{id}/hires', {
            path: { id: agent.id },
            query: { cursor },
            signal,
          })
          return { entries: hires, nextCursor }
        }}
        empty={<Empty title="Nobody has hired it yet." />}
      >
        {(hires, reload) => (
          <ul class="stack">
            {hires.map((hire) => (
              <Hirer key={hire.id} hire={hire} changed={reload} />
            ))}
          </ul>
        )}
      </Listed>
    </section>
  )
}

function Hirer({ hire, changed }: { hire: HirerHire; changed: () => void }) {
  const [turn, setTurn] = useState(0)
  function charged() {
    setTurn(turn + 1)
    changed()
  }
  return (
    <li class="card">
      <h3>
        <Wallet address={hire.hirer} /> <HireStatus hire={hire} />
      </h3>
      <BudgetMeter hire={hire} />
      <p class="small">
        Pays <Fee of={hire} /> · layers {hire.layersEnabled.join(', ')}
      </p>
      {hire.status === 'active' && (
        <Disclosure summary="Charge for work">
          <ChargeForm hire={hire} charged={charged} />
        </Disclosure>
      )}
      <Disclosure summary="Its charges">
        <Charges query={{ role: 'owner', hireId: hire.id }} turn={turn} />
      </Disclosure>
    </li>
  )
}
