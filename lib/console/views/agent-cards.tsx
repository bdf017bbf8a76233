import type { Agent } from '../../client/generated/types.ts'
import { Link } from '../kit/text.tsx'
import { AgentStatus, Fee, Liveness, Rated } from './agent-facts.tsx'

/**
 * Agents, a card for each.
 * @param isOwn they are the reader's: whether each is offered is shown, and where it is changed
 */
export function AgentCards({ agents, isOwn = false }: { agents: readonly Agent[]; isOwn?: boolean }) {
  const Heading = isOwn ? 'h3' : 'h2'
  return (
    <ul class="cards" aria-label={isOwn ? 'Your agents' : 'Agents'}>
      {agents.map((agent) => (
        <li key={agent.id} class="card">
          <Heading>
            <Link to={`agents/${agent.id}`}>{agent.name}</Link>
          </Heading>
          <p class="small">
            {agent.agentType} · {agent.supportedLayers.length === 1 ? 'layer' : 'layers'}{' '}
            {agent.supportedLayers.join(', ')}
          </p>
          <dl>
            <dt>Fee</dt>
            <dd>
              <Fee of={agent} />
            </dd>
            <dt>Reputation</dt>
            <dd>{agent.reputationScore.toFixed(0)} of 100</dd>
            <dt>Rating</dt>
            <dd>
              <Rated agent={agent} />
            </dd>
            <dt>Hires</dt>
            <dd>{agent.totalHires.toLocaleString('en')}</dd>
          </dl>
          {(isOwn || agent.status !== 'active' || agent.endpoint) && (
            <p>
              {(isOwn || agent.status !== 'active') && <AgentStatus status={agent.status} />}{' '}
              <Liveness of={agent} />
            </p>
          )}
          {isOwn && (
            <p>
              <Link to={`agents/${agent.id}`}>
                Edit it, see its hires<span class="visually-hidden">: {agent.name}</span>
              </Link>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
