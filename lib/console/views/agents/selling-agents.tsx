import { Empty } from '../../kit/loaded.tsx'
import { Picture } from '../../kit/marks.tsx'
import { Listed } from '../../kit/pages.tsx'
import { Link } from '../../kit/text.tsx'
import { ofKinds } from '../../live/about.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AgentStatus, RequestPrices } from '../agents/facts.tsx'
import { ownAgents } from './own-agents.ts'

/** Lists the wallet's agents, each with the way to selling requests to its API. */
export function SellingAgents({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  return (
    <>
      <p>
        Get paid for each request to your API, without hires or payouts. Choose the agent that your API
        belongs to.
      </p>
      <Listed
        listKey={wallet}
        shape="cards"
        ask={ownAgents(client, wallet)}
        isAbout={ofKinds('agent')}
        empty={
          <Empty title="Register an agent for your API first.">
            <p>
              The agent gives your API a name, an owner and a page.{' '}
              <Link to="agents/register">Register an agent</Link>
            </p>
          </Empty>
        }
      >
        {(agents) => (
          <ul class="cards" aria-label="Your agents">
            {agents.map(({ id, name, status, requests }) => (
              <li key={id} class="card">
                <div class="who">
                  <Picture id={id} />
                  <div>
                    <h3>{name}</h3>
                    <p class="small">
                      {requests ? <RequestPrices prices={requests} /> : 'no request price yet'}
                    </p>
                  </div>
                </div>
                {status !== 'active' && (
                  <p>
                    <AgentStatus status={status} />
                  </p>
                )}
                <Link to={`selling/${id}`} class="button">
                  Sell requests<span class="visually-hidden"> to {name}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </>
  )
}
