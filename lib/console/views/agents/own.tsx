import { Empty } from '../../kit/loaded.tsx'
import { Listed } from '../../kit/pages.tsx'
import { ofWallet, Sections } from '../../kit/sections.tsx'
import { Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofKinds } from '../../live/about.ts'
import type { ViewProps } from '../../view-props.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { AgentCards } from './cards.tsx'
import { ownAgents } from './own-agents.ts'
import { RegisterAgent } from './register-agent.tsx'
import { SellingAgents } from './selling-agents.tsx'

const SECTIONS = {
  own: { title: 'Your agents', Body: ofWallet('Connect a wallet to see your agents.', OwnAgents) },
  register: {
    title: 'Register an agent',
    Body: ofWallet('Connect the wallet that will own the agent.', RegisterAgent),
  },
  ...(!LEFT_OUT.includes('selling') && {
    selling: {
      title: 'Sell requests',
      Body: ofWallet('Connect the wallet that owns your API’s agent, or will own it.', SellingAgents),
    },
  }),
}

/** The view of an owner: the wallet's agents, registering one, and selling requests. */
export default function OwnAgentsView(props: ViewProps) {
  return (
    <Sections
      title="Agents"
      lead={
        LEFT_OUT.includes('selling')
          ? 'Offer your agents in the market, and get hired.'
          : 'Offer your agents in the market, get hired, and sell requests to their APIs.'
      }
      view="agents"
      sections={SECTIONS}
      props={props}
    />
  )
}

/** The agents that the wallet has registered, of every status. */
function OwnAgents({ wallet }: { wallet: string }) {
  const { client } = useConnection()
  return (
    <Listed
      listKey={wallet}
      shape="cards"
      ask={ownAgents(client, wallet)}
      isAbout={ofKinds('agent')}
      empty={
        <Empty title="You have no agents yet.">
          <p>
            <Link to="agents/register">Register an agent</Link> to list it in the market.
          </p>
        </Empty>
      }
    >
      {(agents) => <AgentCards agents={agents} isOwn />}
    </Listed>
  )
}
