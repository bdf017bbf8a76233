import type { Agent } from '../../client/generated/types.ts'
import { Empty, Show } from '../kit/loaded.tsx'
import { NeedsWallet, Page } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Link, Time, Wallet } from '../kit/text.tsx'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'
import { AgentCard } from './agent-card.tsx'
import { AgentControls } from './agent-controls.tsx'
import { AgentStatus, Endpoint, Fee, Rated } from './agent-facts.tsx'
import { HireForm } from './agent-hire.tsx'
import { AgentHirers } from './agent-hirers.tsx'
import { AgentRatings } from './agent-ratings.tsx'
import { AGENT_TYPES } from './agent-types.ts'

/** Everything about one agent, what can be done with it, and its owner's controls. */
export default function AgentView({ id = '' }: ViewProps) {
  const { client, address } = useConnection()
  const { loaded, reload } = useLoaded(id, (signal) =>
    client.call('GET /agents/{id}', { path: { id }, signal }),
  )
  const agent = 'data' in loaded ? loaded.data : undefined
  return (
    <Page title={agent?.name ?? 'Agent'} lead={agent?.description}>
      <Show loaded={loaded} reload={reload}>
        {(agent) => (
          <>
            <Facts agent={agent} />
            {agent.pubkey === address ? (
              <>
                <AgentHirers agent={agent} />
                <AgentControls key={agent.id} agent={agent} changed={reload} />
              </>
            ) : (
              <Hire agent={agent} changed={reload} />
            )}
            <AgentRatings agent={agent} isOwner={agent.pubkey === address} />
          </>
        )}
      </Show>
    </Page>
  )
}

const Facts = ({ agent }: { agent: Agent }) => (
  <>
    <dl class="figures">
      <dt>Fee</dt>
      <dd>
        <Fee of={agent} />
      </dd>
      <dt>Reputation</dt>
      <dd>{agent.reputationScore.toFixed(0)} of 100</dd>
      <dt>Hires</dt>
      <dd>{agent.totalHires.toLocaleString('en')}</dd>
    </dl>
    <dl>
      <dt>Status</dt>
      <dd>
        <AgentStatus status={agent.status} /> {agent.statusReason}
      </dd>
      <dt>Rating</dt>
      <dd>
        <Rated agent={agent} />
      </dd>
      <dt>Type</dt>
      <dd>{AGENT_TYPES[agent.agentType]}</dd>
      <dt>Layers</dt>
      <dd>{agent.supportedLayers.join(', ')}</dd>
      <dt>Endpoint</dt>
      <dd>
        <Endpoint agent={agent} />
        <AgentCard agent={agent} />
      </dd>
      <dt>Owner</dt>
      <dd>
        <Wallet address={agent.pubkey} />
      </dd>
      <dt>Registered</dt>
      <dd>
        <Time at={agent.registeredAt} />
      </dd>
    </dl>
  </>
)

const Hire = ({ agent, changed }: { agent: Agent; changed: () => void }) => (
  <section aria-labelledby="hire">
    <h2 id="hire">Hire it</h2>
    {agent.status === 'active' ? (
      <NeedsWallet why="A hire is kept under your wallet.">
        {() => <HireForm agent={agent} hired={changed} />}
      </NeedsWallet>
    ) : (
      <Empty title={`It is ${agent.status}, and can’t be hired now.`}>
        <p>
          <Link to="market">Look for another</Link>.
        </p>
      </Empty>
    )}
  </section>
)
