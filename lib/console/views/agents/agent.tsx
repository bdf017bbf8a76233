import type { Agent } from '../../../client/generated/types.ts'
import { Disclosure } from '../../kit/disclosure.tsx'
import { Empty, Show } from '../../kit/loaded.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { fetchText, useLoaded } from '../../kit/query.ts'
import { Link, Time, Wallet } from '../../kit/text.tsx'
import type { ViewProps } from '../../views.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AgentControls } from './controls.tsx'
import { AgentStatus, Endpoint, Fee, Rated } from './facts.tsx'
import { AGENT_TYPES } from './fields.ts'
import { HireForm } from './hire.tsx'
import { AgentHirers } from './hirers.tsx'
import { AgentRatings } from './ratings.tsx'

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

/** By which card an agent is found that speaks a protocol; by none where there is no name. */
const CARDS: Partial<Record<NonNullable<Agent['apiProtocol']>, string>> = {
  'a2a-jsonrpc': 'agent-card.json',
  'a2a-http': 'agent-card.json',
  mcp: 'mcp-server-card',
}

/** The card by which other software finds the agent; nothing for an agent that has none. */
function AgentCard({ agent: { id, status, apiProtocol } }: { agent: Agent }) {
  const name = apiProtocol && CARDS[apiProtocol]
  if (!name || status !== 'active') return null
  const path = `/v1/agents/${id}/${name}`
  return (
    <Disclosure summary="Its card, by which other software finds it">
      <p>
        <a href={path}>{location.origin + path}</a>
      </p>
      <CardText path={path} />
    </Disclosure>
  )
}

function CardText({ path }: { path: string }) {
  const { loaded, reload } = useLoaded(path, (signal) => fetchText(path, signal))
  return (
    <Show loaded={loaded} reload={reload}>
      {(text) => (text === undefined ? <p>It has none now.</p> : <pre class="message">{indented(text)}</pre>)}
    </Show>
  )
}

const indented = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)
