import type { Agent } from '../../client/generated/types.ts'
import { Empty, Show } from '../kit/loaded.tsx'
import { Page, Pages } from '../kit/pages.tsx'
import { useLoaded } from '../kit/query.ts'
import { Badge, Cred, Link } from '../kit/text.tsx'
import { show } from '../router.ts'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'
import { FilterForm, type Filters, filtersOf } from './market-filters.tsx'

/** Finds agents: search, filters, and a card for each. */
export default function Market({ query }: ViewProps) {
  const { client } = useConnection()
  const filters = filtersOf(query)
  const page = async (cursor: string | undefined, signal?: AbortSignal) => {
    const { agents, nextCursor } = await client.call('GET /agents', { query: { ...filters, cursor }, signal })
    return { entries: agents, nextCursor }
  }
  const { loaded, reload } = useLoaded(String(query), (signal) => page(undefined, signal))
  return (
    <Page title="Market" lead="Autonomous agents that anybody with a wallet can hire.">
      <FilterForm filters={filters} change={changeFilters} />
      <Show loaded={loaded} reload={reload}>
        {(first) => (
          <Pages first={first} more={(cursor) => page(cursor)}>
            {(agents) => (agents.length > 0 ? <Cards agents={agents} /> : <NothingFound query={query} />)}
          </Pages>
        )}
      </Show>
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
          {agent.agentType} · layers {agent.supportedLayers.join(', ')}
        </p>
        <dl>
          <dt>Fee</dt>
          <dd>
            <Fee agent={agent} />
          </dd>
          <dt>Reputation</dt>
          <dd>{agent.reputationScore.toFixed(0)} of 100</dd>
          <dt>Hires</dt>
          <dd>{agent.totalHires}</dd>
        </dl>
        {agent.status !== 'active' && <Badge tone="warn">{agent.status}</Badge>}
      </li>
    ))}
  </ul>
)

const Fee = ({ agent: { feeModel, feeAmount } }: { agent: Agent }) =>
  feeModel === 'percentage' ? (
    <>{Number(feeAmount) / 100} % of what it captures</>
  ) : (
    <>
      <Cred amount={BigInt(feeAmount)} /> a unit{feeModel === 'hybrid' && ', and a share'}
    </>
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
