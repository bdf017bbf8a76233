import { Empty } from '../kit/loaded.tsx'
import { Listed } from '../kit/pages.tsx'
import { Link } from '../kit/text.tsx'
import { useConnection } from '../wallet/connection.tsx'
import { AgentCards } from './agent-cards.tsx'

/** The agents that the wallet has registered, of every status. */
export function MyAgents({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { owner: wallet, status: 'all', cursor } as const
    const { agents, nextCursor } = await client.call('GET /agents', { query, signal })
    return { entries: agents, nextCursor }
  }
  return (
    <Listed
      of={wallet}
      ask={ask}
      empty={
        <Empty title="You have no agents yet.">
          <p>
            <Link to="developer/register">Register an agent</Link>: it is in the market at once.
          </p>
        </Empty>
      }
    >
      {(agents) => <AgentCards agents={agents} isOwn />}
    </Listed>
  )
}
