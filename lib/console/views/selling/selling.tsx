import { useState } from 'preact/hooks'
import type { Agent } from '../../../client/generated/types.ts'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Link, Wallet } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { UUID } from '../agents/fields.ts'
import { NotThere } from '../not-found.tsx'
import { Address } from './address.tsx'
import { Checklist } from './checklist.tsx'
import { Credit } from './credit.tsx'
import { Key } from './key.tsx'
import { Payments } from './payments.tsx'
import { Prices } from './prices.tsx'
import { useSelling } from './read.ts'
import { Refusals } from './refusals.tsx'
import { Routes } from './routes.tsx'
import { Server } from './server.tsx'

/** Selling single requests to an agent's API: all that its owner does for it. */
export default function SellingView({ id = '' }: ViewProps) {
  return (
    <Page
      title="Sell requests"
      lead="Get paid for each request to your agent’s API. Customers pay with any x402 client, before you do the work."
      beside={<Picture id={id} size={72} />}
    >
      {UUID.test(id) ? (
        <NeedsWallet why="Connect the wallet that owns this agent.">
          {(wallet) => <Known key={wallet} id={id} wallet={wallet} />}
        </NeedsWallet>
      ) : (
        <NoAgent />
      )}
    </Page>
  )
}

const NoAgent = () => <NotThere title="This agent does not exist." />

function Known({ id, wallet }: { id: string; wallet: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    id,
    (signal) => client.call('GET /agents/{id}', { path: { id }, signal }),
    ofAgent(id, 'agent'),
  )
  if (loaded.state === 'failed' && loaded.error.code === 'agent_not_found') return <NoAgent />
  return (
    <Show loaded={loaded} reload={reload}>
      {(agent) =>
        agent.pubkey === wallet ? <Own agent={agent} onChanged={reload} /> : <OfAnother agent={agent} />
      }
    </Show>
  )
}

const OfAnother = ({ agent }: { agent: Agent }) => (
  <Empty title={`${agent.name} belongs to another wallet.`}>
    <p>
      To sell its requests, connect the wallet of its owner: <Wallet address={agent.pubkey} />
    </p>
    <p>
      <Link to={`agents/${agent.id}`}>View agent</Link>
    </p>
  </Empty>
)

/** The sections for an owner. The key needs no answer, so that it can be replaced while the chain is down. */
function Own({ agent, onChanged }: { agent: Agent; onChanged: () => void }) {
  const { loaded, reload } = useSelling(agent.id)
  const [keyMadeAt, setKeyMadeAt] = useState<number>()
  const selling = 'data' in loaded ? loaded.data : undefined
  const hasKey = keyMadeAt !== undefined || (selling && !selling.missing.includes('key'))
  const keyState = hasKey ? 'one' : selling ? 'none' : 'unknown'
  return (
    <>
      <p>
        Agent: <Link to={`agents/${agent.id}`}>{agent.name}</Link>
      </p>
      <Show loaded={loaded} reload={reload}>
        {(selling) => (
          <>
            <Checklist
              agent={agent}
              selling={selling}
              keyMadeAt={keyMadeAt}
              isChecking={loaded.state === 'ready' && !loaded.isFresh}
              checkAgain={reload}
            />
            <Refusals agentId={agent.id} refusals={selling.refusals} />
            <Address
              agent={agent}
              onChanged={() => {
                onChanged()
                reload()
              }}
            />
            <Prices agentId={agent.id} selling={selling} onChanged={reload} />
            <Routes agentId={agent.id} routes={selling.routes} onChanged={reload} />
          </>
        )}
      </Show>
      <Key agentId={agent.id} state={keyState} onMade={setKeyMadeAt} />
      {selling && (
        <>
          <Credit selling={selling} onChanged={reload} />
          <Server agent={agent} selling={selling} />
          <Payments agentId={agent.id} mint={selling.mint} />
        </>
      )}
    </>
  )
}
