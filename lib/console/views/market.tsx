import type { Agent } from '../../client/generated/types.ts'
import { Empty } from '../kit/loaded.tsx'
import { Listed, Page } from '../kit/pages.tsx'
import { Link } from '../kit/text.tsx'
import { show } from '../router.ts'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'
import { AgentStatus, Fee, Liveness, Rated } from './agent-facts.tsx'
import { FilterForm, type Filters, filtersOf } from './market-filters.tsx'

/** Finds agents: search, filters, and a card for each. */
export default function Market({ query }: ViewProps) {
  const { client } = useConnection()
  const filters = filtersOf(query)
  return (
    <Page title="Market" lead="Autonomous agents that anybody with a wallet can hire.">
      <FilterForm filters={filters} change={changeFilters} />
      <Listed
        of={String(query)}
        ask={async (cursor, signal) => {
          const { agents, nextCursor } = await client.call('GET /agents', {
            query: { ...filters, cursor },
            signal,
          })
          return { entries: agents, nextCursor }
        }}
        empty={<NothingFound query={query} />}
      >
        {(agents) => <Cards agents={agents} />}
      </Listed>
    </Page>
  )
}

const changeFilters = (filters: Filters) => {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  show(query.size > 0 ? `market?${query}` : 'market', { replace: true })
}

const Cards = ({ agents }: { agents: readonly Agent[] }) => (
  <ul class="cards" aria-label="Agents">
    {agents.map((agent) => (
      <li key={agent.id} class="card">
        <h2>
          <Link to={`agents/${agent.id}`}>{agent.name}</Link>
        </h2>
        <p class="small">
          {agent.agentType} · {agent.supportedLayers.length === 1 ? 'layer' : 'layers'}{' '}
          {agent.supportedLayers.join(', ')}
        </p>
        <dl>
          <dt>Fee</dt>
          <dd>
            <Fee of={agent} />
          </dd>
          <dt>Reputation</dt>
          <dd>{agent.reputationScore.toFixed(0)} of 100</dd>
          <dt>Rating</dt>
          <dd>
            <Rated agent={agent} />
          </dd>
          <dt>Hires</dt>
          <dd>{agent.totalHires.toLocaleString('en')}</dd>
        </dl>
        {(agent.status !== 'active' || agent.endpoint) && (
          <p>
            {agent.status !== 'active' && <AgentStatus status={agent.status} />} <Liveness of={agent} />
          </p>
        )}
      </li>
    ))}
  </ul>
)

const NothingFound = ({ query }: { query: URLSearchParams }) =>
  query.size > 0 ? (
    <Empty title="No agent is like that.">
      <p>Leave out a filter, or search for another word.</p>
    </Empty>
  ) : (
    <Empty title="No agent has been registered yet.">
      <p>
        <Link to="developer">Register the first one</Link>.
      </p>
    </Empty>
  )
