import type { Hire } from '../../../client/generated/types.ts'
import { shortOf } from '../../kit/due.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { useOwed } from '../../kit/owed.tsx'
import { Listed, NeedsWallet, Page } from '../../kit/pages.tsx'
import { type Columns, Table } from '../../kit/table.tsx'
import { Cred, Link } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { BudgetMeter, HireStatus, StatusFilter, statusOf, Term } from './facts.tsx'
import { OneHire } from './hire.tsx'

/** The hire that the address names, or all hires of the wallet. */
export default function HiresView({ id, query }: ViewProps) {
  return id === undefined ? <AllHires query={query} /> : <OneHire id={id} query={query} />
}

/** Lists the wallet's hires: what they cost, what is to fund, and when they end. */
function AllHires({ query }: { query: URLSearchParams }) {
  const { client } = useConnection()
  const status = statusOf(query)
  return (
    <Page title="Hires" lead="The agents you hired, what they charged, and what you owe.">
      <NeedsWallet why="Connect a wallet to see your hires.">
        {(hirer) => (
          <>
            <StatusFilter view="hires" status={status} />
            <Listed
              listKey={hirer}
              filter={status}
              ask={async (cursor, signal) => {
                const { hires, nextCursor } = await client.call('GET /agents/hire', {
                  query: { cursor, status },
                  signal,
                })
                return { entries: hires, nextCursor }
              }}
              isAbout={ofKinds('hire', 'charge')}
              empty={
                status ? (
                  <Empty title="You have no hires with this status." />
                ) : (
                  <Empty title="You have not hired an agent yet.">
                    <p>
                      <Link to="market">Find an agent</Link>.
                    </p>
                  </Empty>
                )
              }
            >
              {(hires) => <Table caption="Hires" columns={COLUMNS} rows={hires} keyOf={({ id }) => id} />}
            </Listed>
          </>
        )}
      </NeedsWallet>
    </Page>
  )
}

const COLUMNS: Columns<Hire> = [
  {
    head: 'Agent',
    cell: ({ id, agent }) => (
      <div class="who">
        <Picture id={agent.id} size={32} />
        <Link to={`hires/${id}`}>{agent.name}</Link>
      </div>
    ),
  },
  { head: 'Status', cell: (hire) => <HireStatus hire={hire} /> },
  { head: 'Charged', cell: (hire) => <BudgetMeter hire={hire} isBrief /> },
  { head: 'To fund', cell: (hire) => <ToFund hire={hire} /> },
  { head: 'Term', cell: (hire) => <Term hire={hire} /> },
]

/** Shows what the hire budget of a hire lacks to pay what is due, with the way to fund it. */
function ToFund({ hire }: { hire: Hire }) {
  const budget = useOwed()?.hires.get(hire.id)
  if (!budget) return null
  return (
    <>
      <strong>
        <Cred amount={shortOf(budget)} />
      </strong>
      <p>
        <Link to={`hires/${hire.id}`}>
          Fund<span class="visually-hidden"> the hire of {hire.agent.name}</span>
        </Link>
      </p>
    </>
  )
}
