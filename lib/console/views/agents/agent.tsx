import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { Agent, Hire as OneHire } from '../../../client/generated/types.ts'
import { Empty, Show } from '../../kit/loaded.tsx'
import { Bar, Layers, Picture } from '../../kit/marks.tsx'
import { NeedsWallet, Page } from '../../kit/pages.tsx'
import { useDue, useLoaded, useSeenAgain } from '../../kit/query.ts'
import { Id, Link, Time, Wallet } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofAgent } from '../../live/about.ts'
import { formatNumber } from '../../locale.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { NotThere } from '../not-found.tsx'
import { AgentCard } from './card.tsx'
import { AgentControls } from './controls.tsx'
import { AgentStatus, Endpoint, Price, Rated, RequestPrices } from './facts.tsx'
import { AGENT_TYPES, UUID } from './fields.ts'
import { GetPaid } from './get-paid.tsx'
import { OwnHire } from './hire.tsx'
import { AgentHirers } from './hirers.tsx'
import { AgentDays } from './history.tsx'
import { AcceptJobs, OrderJob, takesJobs } from './job-terms.tsx'
import { AgentRatings } from './ratings.tsx'
import { SellRequests } from './sell-requests.tsx'

/** Loads the agent that the address names, if it exists. */
export default function AgentView({ id = '', query }: ViewProps) {
  return UUID.test(id) ? <Known id={id} query={query} /> : <NoAgent />
}

const NoAgent = () => (
  <Page title="Agent not found">
    <NotThere title="This agent does not exist." />
  </Page>
)

/** Shows everything about one agent, with the visitor's actions and its owner's controls. */
function Known({ id, query }: { id: string; query: URLSearchParams }) {
  const { client, address, now } = useConnection()
  const { loaded, reload } = useLoaded(
    id,
    (signal) => client.call('GET /agents/{id}', { path: { id }, signal }),
    ofAgent(id, 'agent', 'hire', 'rating'),
  )
  const [ownHire, setOwnHire] = useState<OneHire>()
  const agent = 'data' in loaded ? loaded.data : undefined
  // No event reports a check of its endpoint.
  useSeenAgain(reload)
  useDue(useNextProbeAt(agent), now, reload)
  if (loaded.state === 'failed' && !agent && loaded.error.code === 'agent_not_found') return <NoAgent />
  return (
    <Page
      title={agent?.name ?? 'Agent'}
      lead={agent?.description}
      beside={agent && <Picture id={agent.id} size={72} />}
    >
      <Show loaded={loaded} reload={reload} shape="figures">
        {(agent) => (
          <>
            <Figures agent={agent}>
              {agent.pubkey !== address && <HireLink agent={agent} ownHire={ownHire} />}
            </Figures>
            {agent.pubkey === address ? (
              <>
                <GetPaid agentId={agent.id} />
                <SellRequests agentId={agent.id} />
                <Facts agent={agent} />
                <AgentDays agent={agent} />
                <AgentHirers agent={agent} query={query} />
                {!LEFT_OUT.includes('jobs') && <AcceptJobs agent={agent} onChanged={reload} />}
                <AgentControls key={agent.id} agent={agent} onChanged={reload} />
              </>
            ) : (
              <>
                <OrderJob agent={agent} />
                <div class="split">
                  <Hire agent={agent} onChanged={reload} onFound={setOwnHire} />
                  <div>
                    <Facts agent={agent} />
                    <AgentDays agent={agent} />
                  </div>
                </div>
              </>
            )}
            <AgentRatings agent={agent} isOwner={agent.pubkey === address} />
          </>
        )}
      </Show>
    </Page>
  )
}

/** Returns when an agent's endpoint is checked next, in Unix milliseconds; a new endpoint at any time. */
function useNextProbeAt(agent: Agent | undefined): number | undefined {
  const { now } = useConnection()
  const { checkedAt, nextCheckAt } = agent?.endpoint ?? {}
  const isNew = agent?.endpoint !== undefined && checkedAt === undefined
  const seenAt = useMemo(now, [agent?.apiEndpoint, isNew])
  return nextCheckAt ? Date.parse(nextCheckAt) : isNew ? seenAt : undefined
}

/**
 * The way to order a job, to the form, or to the hire that the wallet already has. Shown where the form is below the figures.
 */
const HireLink = ({ agent, ownHire }: { agent: Agent; ownHire: OneHire | undefined }) =>
  ownHire ? (
    <Link to={`hires/${ownHire.id}`} class="button narrow">
      Hired · Manage
    </Link>
  ) : takesJobs(agent) ? (
    <Link to={`jobs/new?agent=${agent.id}`} class="button primary narrow">
      Order a job
    </Link>
  ) : agent.status === 'active' ? (
    <a href="#hire" class="button primary narrow">
      Hire
    </a>
  ) : null

const Figures = ({ agent, children }: { agent: Agent; children: ComponentChildren }) => (
  <dl class="figures">
    <dt>Price</dt>
    <dd class="largest">
      <Price terms={agent} />
      {children}
    </dd>
    <dt>Reputation</dt>
    <dd>
      {agent.reputationScore.toFixed(0)} <span class="small">of 100</span>
      <Bar share={agent.reputationScore / 100} />
    </dd>
    <dt>Rating</dt>
    <dd>
      <Rated agent={agent} />
      {agent.rating !== undefined && agent.ratingsWeight < 1 && (
        <p class="small">Based on small payments, which are easy to fake.</p>
      )}
    </dd>
    <dt>Hires</dt>
    <dd>{formatNumber(agent.totalHires)}</dd>
  </dl>
)

const Facts = ({ agent }: { agent: Agent }) => (
  <section aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl>
      <dt>Status</dt>
      <dd>
        <AgentStatus status={agent.status} /> {agent.statusReason}
      </dd>
      <dt>Type</dt>
      <dd>{AGENT_TYPES[agent.agentType]}</dd>
      <dt>Categories</dt>
      <dd>
        <Layers layers={agent.supportedLayers} />
      </dd>
      <dt>Endpoint</dt>
      <dd>
        <Endpoint agent={agent} />
        <AgentCard agent={agent} />
      </dd>
      {agent.requests && (
        <>
          <dt>Paid requests</dt>
          <dd>
            <RequestPrices prices={agent.requests} />
            <p class="small">
              <a href={`/v1/x402/agents/${agent.id}`}>Prices and payment terms</a> for x402 clients
            </p>
          </dd>
        </>
      )}
      <dt>Agent ID</dt>
      <dd>
        <Id id={agent.id} name="agent ID" />
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
  </section>
)

const Hire = ({
  agent,
  ...rest
}: {
  agent: Agent
  onChanged: () => void
  onFound: (hire?: OneHire) => void
}) => (
  <section class="card" aria-labelledby="hire">
    <h2 id="hire">Hire this agent</h2>
    {agent.status === 'active' ? (
      <>
        {!agent.canBePaid && !LEFT_OUT.includes('earnings') && (
          <p class="notice">
            <strong>This agent can’t be paid yet.</strong> You can hire it, but you can add funds only after
            its owner sets up payouts.
          </p>
        )}
        <NeedsWallet why="Connect a wallet to hire this agent.">
          {(wallet) => <OwnHire key={wallet} agent={agent} wallet={wallet} {...rest} />}
        </NeedsWallet>
      </>
    ) : (
      <Empty title={`This agent is ${agent.status} and can’t be hired.`}>
        <p>
          <Link to="market">Find another agent</Link>.
        </p>
      </Empty>
    )}
  </section>
)
