import type { Agent } from '../../../client/generated/types.ts'
import { Stars } from '../../kit/marks.tsx'
import { Badge, Cred, Time } from '../../kit/text.tsx'
import { PROTOCOLS } from './fields.ts'

/** Shows the price of an agent or a hire. */
export const Fee = ({ terms: { feeModel, feeAmount } }: { terms: Pick<Agent, 'feeModel' | 'feeAmount'> }) =>
  feeModel === 'percentage' ? (
    <>{feeAmount / 100}% of value earned</>
  ) : (
    <>
      <Cred amount={BigInt(feeAmount)} /> per unit{feeModel === 'hybrid' && ', plus a share'}
    </>
  )

/** Shows the price as a card's largest figure, with its unit below. */
export const Price = ({ terms }: { terms: Pick<Agent, 'feeModel' | 'feeAmount'> }) => (
  <p class="price">
    <strong>
      {terms.feeModel === 'percentage' ? (
        `${terms.feeAmount / 100}%`
      ) : (
        <Cred amount={BigInt(terms.feeAmount)} />
      )}
    </strong>{' '}
    <span class="small">{PRICED[terms.feeModel]}</span>
  </p>
)

/**
 * Shows what single requests to an agent cost. The lowest price is in CRED; an agent may also have prices in
 * other tokens only.
 */
export const RequestPrices = ({
  prices: { from, count, ready },
}: {
  prices: NonNullable<Agent['requests']>
}) => (
  <>
    {from === undefined ? (
      `${count} ${count === 1 ? 'price' : 'prices'}, not in CRED`
    ) : (
      <>
        {count > 1 && 'from '}
        <Cred amount={from} /> each
      </>
    )}
    {!ready && (
      <>
        {' '}
        <Badge tone="plain">not on sale yet</Badge>
      </>
    )}
  </>
)

const PRICED = {
  percentage: 'of value earned',
  flat: 'per unit',
  hybrid: 'per unit, plus a share',
} as const

/** Shows the rating by its payers in stars. */
export const Rated = ({ agent: { rating, ratings } }: { agent: Agent }) =>
  rating === undefined ? (
    <span class="small">no ratings yet</span>
  ) : (
    <span class="rated">
      <Stars rating={rating} /> {rating.toFixed(1)}{' '}
      <span class="small">
        from {ratings} {ratings === 1 ? 'wallet' : 'wallets'}
      </span>
    </span>
  )

const STATUS_TONES = { active: 'good', inactive: 'plain', suspended: 'bad' } as const

/** Shows whether the agent can be hired. */
export const AgentStatus = ({ status }: Pick<Agent, 'status'>) => (
  <Badge tone={STATUS_TONES[status]}>{status}</Badge>
)

const LIVENESS = {
  live: { tone: 'good', words: 'endpoint up' },
  down: { tone: 'bad', words: 'endpoint down' },
  unknown: { tone: 'plain', words: 'uptime unknown' },
} as const

/** Shows whether the endpoint was up at its last check; nothing without an endpoint. */
export function Liveness({ agent: { endpoint } }: { agent: Pick<Agent, 'endpoint'> }) {
  if (!endpoint) return null
  const { tone, words } = LIVENESS[endpoint.status]
  return <Badge tone={tone}>{words}</Badge>
}

const CARDS = {
  verified: 'verified, signed by its own domain',
  signed: 'signed, but not by a key of its domain',
  unsigned: 'not signed',
  none: 'none published',
} as const

type Reached = Pick<Agent, 'apiEndpoint' | 'apiProtocol' | 'endpoint'>

/** Shows the URL of an agent or entry, and its endpoint's last known state, in full. */
export function Endpoint({ agent }: { agent: Reached }) {
  const { apiEndpoint, apiProtocol, endpoint } = agent
  if (apiEndpoint === undefined) return <>none</>
  return (
    <>
      <code>{apiEndpoint}</code> {apiProtocol && `(${PROTOCOLS[apiProtocol]})`} <Liveness agent={agent} />
      {endpoint?.checkedAt && (
        <p class="small">
          Last checked <Time at={endpoint.checkedAt} />
          {endpoint.status === 'live' &&
            endpoint.latencyMs !== undefined &&
            `, response time ${endpoint.latencyMs} ms`}
          {endpoint.status !== 'unknown' &&
            endpoint.uptime30d !== undefined &&
            `, ${(endpoint.uptime30d * 100).toFixed(0)}% uptime over 30 days`}
          {endpoint.auth && ', requires authentication'}. Agent card: {CARDS[endpoint.card]}.
        </p>
      )}
    </>
  )
}
