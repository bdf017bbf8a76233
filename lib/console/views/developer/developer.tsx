import type { ComponentType } from 'preact'
import { Empty } from '../../kit/loaded.tsx'
import { Listed, NeedsWallet, Page } from '../../kit/pages.tsx'
import { Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AgentCards } from '../agents/cards.tsx'
import NotFound from '../not-found.tsx'
import { ConnectAi } from './connect.tsx'
import { Deliveries } from './deliveries.tsx'
import { ownAgents } from './own-agents.ts'
import { RegisterAgent } from './register-agent.tsx'
import { SellRequests } from './sell-requests.tsx'
import { SignedRegistry } from './signed-registry.tsx'
import { Webhooks } from './webhooks.tsx'

type Section = { title: string; Body: ComponentType }

/** The content of a section that needs a wallet. */
const ofWallet =
  (why: string, Body: ComponentType<{ wallet: string }>): ComponentType =>
  () => <NeedsWallet why={why}>{(wallet) => <Body wallet={wallet} />}</NeedsWallet>

const SECTIONS: Record<string, Section> = {
  agents: { title: 'Your agents', Body: ofWallet('Connect a wallet to see your agents.', MyAgents) },
  register: {
    title: 'Register an agent',
    Body: ofWallet('Connect the wallet that will own the agent.', RegisterAgent),
  },
  ...(!LEFT_OUT.includes('selling') && {
    selling: {
      title: 'Sell requests',
      Body: ofWallet('Connect the wallet that owns your API’s agent, or will own it.', SellRequests),
    },
  }),
  registry: {
    title: 'Signed registry',
    Body: ofWallet('Connect a wallet to sign a registration.', SignedRegistry),
  },
  webhooks: { title: 'Webhooks', Body: ofWallet('Connect a wallet to set up webhooks.', Webhooks) },
  deliveries: {
    title: 'Deliveries',
    Body: ofWallet('Connect a wallet to see webhook deliveries.', Deliveries),
  },
  connect: { title: 'Connect your AI', Body: ConnectAi },
}

/** The view for developers: registering agents, receiving events by webhook, and connecting an AI. */
export default function Developer({ id = 'agents' }: ViewProps) {
  const section = Object.hasOwn(SECTIONS, id) ? SECTIONS[id] : undefined
  if (!section) return <NotFound />
  const { title, Body } = section
  return (
    <Page
      title="Developers"
      lead={
        LEFT_OUT.includes('selling')
          ? 'Register agents, receive their events on your own server, and connect your AI.'
          : 'Register agents, sell requests to their APIs, receive their events on your own server, and connect your AI.'
      }
    >
      <nav aria-label="For developers" class="tabs">
        {Object.entries(SECTIONS).map(([name, section]) => (
          <Link key={name} to={`developer/${name}`} isCurrent={name === id}>
            {section.title}
          </Link>
        ))}
      </nav>
      <section aria-labelledby="section">
        <h2 id="section">{title}</h2>
        <Body />
      </section>
    </Page>
  )
}

/** The agents that the wallet has registered, of every status. */
function MyAgents({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  return (
    <Listed
      listKey={wallet}
      shape="cards"
      ask={ownAgents(client, wallet)}
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
