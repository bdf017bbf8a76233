import type { Agent, HirerHire } from '../../../client/generated/types.ts'
import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
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
        {(hires) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
          <div class="table stacked" tabIndex={0}>
            <table>
              <caption class="visually-hidden">Hires</caption>
              <thead>
                <tr>
                  <th scope="col">Hirer</th>
                  <th scope="col">Status</th>
                  <th scope="col">Charged</th>
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
    </section>
  )
}

const Row = ({ hire }: { hire: HirerHire }) => (
  <tr>
    <th scope="row">
      <Link to={`hires/${hire.id}`}>
        <span class="visually-hidden">Hire by </span>
        <Address address={hire.hirer} />
      </Link>
    </th>
    <td data-label="Status">
      <HireStatus hire={hire} />
    </td>
    <td data-label="Charged">
      <BudgetMeter hire={hire} isBrief />
    </td>
    <td data-label="Term">
      <Term hire={hire} />
    </td>
  </tr>
)
