import type { Agent, HirerHire } from '../../../client/generated/types.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { type Columns, Table } from '../../kit/table.tsx'
import { Address, Link } from '../../kit/text.tsx'
import { ofAgent } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { BudgetMeter, HireStatus, StatusFilter, statusOf, Term } from '../hires/facts.tsx'

/** Lists an agent's hires for its owner, each with a link to its page, where the owner charges for work. */
export function AgentHirers({ agent, query }: { agent: Agent; query: URLSearchParams }) {
  const { client } = useConnection()
  const status = statusOf(query)
  return (
    <section aria-labelledby="hirers">
      <h2 id="hirers">Hires</h2>
      <StatusFilter view={`agents/${agent.id}`} status={status} />
      <Listed
        listKey={`hirers ${agent.id}`}
        filter={status}
        ask={async (cursor, signal) => {
          const { hires, nextCursor } = await client.call('GET /agents/{id}/hires', {
            path: { id: agent.id },
            query: { cursor, status },
            signal,
          })
          return { entries: hires, nextCursor }
        }}
        isAbout={ofAgent(agent.id, 'hire', 'charge')}
        empty={<Empty title={status ? 'No hires with this status.' : 'No hires yet.'} />}
      >
        {(hires) => <Table caption="Hires" columns={COLUMNS} rows={hires} keyOf={({ id }) => id} />}
      </Listed>
    </section>
  )
}

const COLUMNS: Columns<HirerHire> = [
  {
    head: 'Hirer',
    cell: ({ id, hirer }) => (
      <Link to={`hires/${id}`}>
        <span class="visually-hidden">Hire by </span>
        <Address address={hirer} />
      </Link>
    ),
  },
  { head: 'Status', cell: (hire) => <HireStatus hire={hire} /> },
  { head: 'Charged', cell: (hire) => <BudgetMeter hire={hire} isBrief /> },
  { head: 'Term', cell: (hire) => <Term hire={hire} /> },
]
