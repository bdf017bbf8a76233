import { Empty } from '../kit/loaded.tsx'
import { Listed, Page } from '../kit/pages.tsx'
import { Link } from '../kit/text.tsx'
import { show } from '../router.ts'
import type { ViewProps } from '../views.ts'
import { useConnection } from '../wallet/connection.tsx'
import { AgentCards } from './agent-cards.tsx'
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
        {(agents) => <AgentCards agents={agents} />}
      </Listed>
    </Page>
  )
}

const changeFilters = (filters: Filters) => {
  const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
  show(query.size > 0 ? `market?${query}` : 'market', { replace: true })
}

const NothingFound = ({ query }: { query: URLSearchParams }) =>
  query.size > 0 ? (
    <Empty title="No agent is like that.">
      <p>Leave out a filter, or search for another word.</p>
    </Empty>
  ) : (
    <Empty title="No agent has been registered yet.">
      <p>
        <Link to="developer/register">Register the first one</Link>.
      </p>
    </Empty>
  )
