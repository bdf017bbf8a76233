import type { Hire } from '../../../client/generated/types.ts'
import { shortOf } from '../../kit/due.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { useOwed } from '../../kit/owed.tsx'
import { Listed, NeedsWallet, Page } from '../../kit/pages.tsx'
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

/** Lists the wallet's hires: what they cost and owe, and when they end. */
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
              {(hires) => (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
                <div class="table stacked" tabIndex={0}>
                  <table>
                    <caption class="visually-hidden">Hires</caption>
                    <thead>
                      <tr>
                        <th scope="col">Agent</th>
                        <th scope="col">Status</th>
                        <th scope="col">Charged</th>
                        <th scope="col">Due</th>
                        <th scope="col">Term</th>
                      </tr>
                    </thead>
                    <tbody>
                      {hires.map((hire) => (
                        <Row key={hire.id} hire={hire} />
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </Listed>
          </>
        )}
      </NeedsWallet>
    </Page>
  )
}

const Row = ({ hire }: { hire: Hire }) => (
  <tr>
    <th scope="row">
      <div class="who">
        <Picture id={hire.agent.id} size={32} />
        <Link to={`hires/${hire.id}`}>{hire.agent.name}</Link>
      </div>
    </th>
    <td data-label="Status">
      <HireStatus hire={hire} />
    </td>
    <td data-label="Charged">
      <BudgetMeter hire={hire} isBrief />
    </td>
    <td data-label="Due">
      <Due hire={hire} />
    </td>
    <td data-label="Term">
      <Term hire={hire} />
    </td>
  </tr>
)

/** Shows what a hire owes and its hire budget can't pay, with the way to pay it. */
function Due({ hire }: { hire: Hire }) {
  const budget = useOwed()?.hires.get(hire.id)
  if (!budget) return null
  return (
    <>
      <strong>
        <Cred amount={shortOf(budget)} /> due
      </strong>
      <p>
        <Link to={`hires/${hire.id}`}>
          Fund<span class="visually-hidden"> the hire of {hire.agent.name}</span>
        </Link>
      </p>
    </>
  )
}
