import type { Agent } from '../../../client/generated/types.ts'
import { Bar, Layers, Picture } from '../../kit/marks.tsx'
import { Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { formatNumber } from '../../locale.ts'
import { AgentStatus, Liveness, Price, Rated, RequestPrices } from './facts.tsx'

/** The most layers that a card names. */
const MAX_LAYERS = 3

/**
 * Shows agents, a card for each.
 * @param isOwn the agents are the reader's: shows whether each is offered, and links to its settings
 */
export function AgentCards({ agents, isOwn = false }: { agents: readonly Agent[]; isOwn?: boolean }) {
  const Heading = isOwn ? 'h3' : 'h2'
  return (
    <ul class="cards" aria-label={isOwn ? 'Your agents' : 'Agents'}>
      {agents.map((agent) => (
        <li key={agent.id} class="card pressed">
          <div class="who">
            <Picture id={agent.id} />
            <div>
              <Heading>
                <Link to={`agents/${agent.id}`} class="whole">
                  {agent.name}
                </Link>
              </Heading>
              <p class="small">{agent.agentType}</p>
            </div>
            <Price terms={agent} />
          </div>
          {agent.description && <p class="clamped">{agent.description}</p>}
          <Layers layers={agent.supportedLayers} maxShown={MAX_LAYERS} />
          <dl class="reputation-summary">
            <dt>Reputation</dt>
            <dd>
              <Bar share={agent.reputationScore / 100} /> {agent.reputationScore.toFixed(0)} of 100
            </dd>
            <dt>Rating</dt>
            <dd>
              <Rated agent={agent} />
            </dd>
            <dt>Hires</dt>
            <dd>{formatNumber(agent.totalHires)}</dd>
            {agent.requests && (
              <>
                <dt>Requests</dt>
                <dd>
                  <RequestPrices prices={agent.requests} />
                </dd>
              </>
            )}
          </dl>
          {(isOwn || agent.status !== 'active' || agent.endpoint) && (
            <p>
              {(isOwn || agent.status !== 'active') && <AgentStatus status={agent.status} />}{' '}
              <Liveness agent={agent} />
            </p>
          )}
          {isOwn && (
            <p>
              <Link to={`agents/${agent.id}`}>
                Manage<span class="visually-hidden"> {agent.name}</span>
              </Link>
              {!LEFT_OUT.includes('selling') && (
                <>
                  {' · '}
                  <Link to={`selling/${agent.id}`}>
                    Sell requests<span class="visually-hidden"> to {agent.name}</span>
                  </Link>
                </>
              )}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
