import type { Agent } from '../../../client/generated/types.ts'
import { Badge, Cred, Link, Time } from '../../kit/text.tsx'
import { PROTOCOLS } from './fields.ts'

/** What an agent, or a hire of it, charges. */
export const Fee = ({ of: { feeModel, feeAmount } }: { of: Pick<Agent, 'feeModel' | 'feeAmount'> }) =>
  feeModel === 'percentage' ? (
    <>{feeAmount / 100}% of what it captures</>
  ) : (
    <>
      <Cred amount={BigInt(feeAmount)} /> a unit{feeModel === 'hybrid' && ', and a share'}
    </>
  )

/** What its payers say, and how much they weigh together: little weight is cheap to make. */
export const Rated = ({ agent: { rating, ratings, ratingsWeight } }: { agent: Agent }) =>
  rating === undefined ? (
    <>none yet</>
  ) : (
    <>
      {rating.toFixed(1)} of 5 by {ratings} {ratings === 1 ? 'wallet' : 'wallets'}, weighing{' '}
      {ratingsWeight.toFixed(2)}
    </>
  )

const STATUS_TONES = { active: 'good', inactive: 'plain', suspended: 'bad' } as const

/** Whether it can be hired. */
export const AgentStatus = ({ status }: Pick<Agent, 'status'>) => (
  <Badge tone={STATUS_TONES[status]}>{status}</Badge>
)

const LIVENESS = {
  live: { tone: 'good', words: 'endpoint live' },
  down: { tone: 'bad', words: 'endpoint down' },
  unknown: { tone: 'plain', words: 'endpoint not looked at' },
} as const

/** Whether its endpoint answered when it was last looked at; nothing where there is none to look at. */
function Liveness({ of: { endpoint } }: { of: Pick<Agent, 'endpoint'> }) {
  if (!endpoint) return null
  const { tone, words } = LIVENESS[endpoint.status]
  return <Badge tone={tone}>{words}</Badge>
}

const CARDS = {
  verified: 'signed by a key of its own host',
  signed: 'signed, by a key that its host does not vouch for',
  unsigned: 'not signed',
  none: 'none of its own',
} as const

type Reached = Pick<Agent, 'apiEndpoint' | 'apiProtocol' | 'endpoint'>

/** Where an agent or entry is reached, and the endpoint's last seen state, in full. */
export function Endpoint({ agent }: { agent: Reached }) {
  const { apiEndpoint, apiProtocol, endpoint } = agent
  if (apiEndpoint === undefined) return <>none</>
  return (
    <>
      <code>{apiEndpoint}</code> {apiProtocol && `(${PROTOCOLS[apiProtocol]})`} <Liveness of={agent} />
      {endpoint?.checkedAt && (
        <p class="small">
          Last looked at <Time at={endpoint.checkedAt} />
          {endpoint.latencyMs !== undefined && `, answered in ${endpoint.latencyMs} ms`}
          {endpoint.uptime30d !== undefined &&
            `, live in ${(endpoint.uptime30d * 100).toFixed(0)}% of the looks of 30 days`}
          {endpoint.auth && '; it asks for authentication'}. Agent card: {CARDS[endpoint.card]}.
        </p>
      )}
    </>
  )
}

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
