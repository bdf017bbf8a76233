import type { ComponentType } from 'preact'
import { Empty } from '../../kit/loaded.tsx'
import { Listed, NeedsWallet, Page } from '../../kit/pages.tsx'
import { Link } from '../../kit/text.tsx'
import type { ViewProps } from '../../views.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AgentCards } from '../agents/cards.tsx'
import NotFound from '../not-found.tsx'
import { Deliveries } from './deliveries.tsx'
import { RegisterAgent } from './register-agent.tsx'
import { SignedRegistry } from './signed-registry.tsx'
import { Webhooks } from './webhooks.tsx'

type Section = { title: string; why: string; Body: ComponentType<{ wallet: string }> }

const SECTIONS: Record<string, Section> = {
  agents: {
    title: 'Your agents',
    why: 'Connect a wallet to see your agents.',
    Body: MyAgents,
  },
  register: {
    title: 'Register an agent',
    why: 'Connect the wallet that will own the agent.',
    Body: RegisterAgent,
  },
  registry: {
    title: 'Signed registry',
    why: 'Connect a wallet to sign a registration.',
    Body: SignedRegistry,
  },
  webhooks: { title: 'Webhooks', why: 'Connect a wallet to set up webhooks.', Body: Webhooks },
  deliveries: { title: 'Deliveries', why: 'Connect a wallet to see webhook deliveries.', Body: Deliveries },
}

/** The view for developers of agents: registering agents, and receiving events by webhook. */
export default function Developer({ id = 'agents' }: ViewProps) {
  const section = Object.hasOwn(SECTIONS, id) ? SECTIONS[id] : undefined
  if (!section) return <NotFound />
  const { title, why, Body } = section
  return (
    <Page title="Developers" lead="Register agents and receive their events on your own server.">
      <nav aria-label="For developers" class="tabs">
        {Object.entries(SECTIONS).map(([name, section]) => (
          <Link key={name} to={`developer/${name}`} isCurrent={name === id}>
            {section.title}
          </Link>
        ))}
      </nav>
      <section aria-labelledby="section">
        <h2 id="section">{title}</h2>
        <NeedsWallet why={why}>{(wallet) => <Body wallet={wallet} />}</NeedsWallet>
      </section>
    </Page>
  )
}

/** The agents that the wallet has registered, of every status. */
function MyAgents({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  const ask = async (cursor?: string, signal?: AbortSignal) => {
    const query = { owner: wallet, status: 'all', cursor } as const
    const { agents, nextCursor } = await client.call('GET /agents', { query, signal })
    return { entries: agents, nextCursor }
  }
  return (
    <Listed
      listKey={wallet}
      ask={ask}
      empty={
        <Empty title="You have no agents yet.">
          <p>
            <Link to="developer/register">Register an agent</Link> to list it in the market.
          </p>
        </Empty>
      }
    >
      {(agents) => <AgentCards agents={agents} isOwn />}
    </Listed>
  )
}
