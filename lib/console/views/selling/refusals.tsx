import type { ComponentChildren } from 'preact'
import type { RequestRefusal } from '../../../client/generated/types.ts'
import { Link, Time } from '../../kit/text.tsx'

/** Why payments to the agent are refused, and what its owner can do. Nothing while none is. */
export function Refusals({ agentId, refusals }: { agentId: string; refusals: RequestRefusal[] }) {
  if (refusals.length === 0) return null
  return (
    <section aria-labelledby="refusals">
      <h2 id="refusals">Refused payments</h2>
      <p>Customers tried to pay, and the payments were refused. This list is empty after the next payment.</p>
      <ul class="cards" aria-label="Refused payments">
        {refusals.map(({ reason, since }) => {
          const { title, remedy } = REASONS[reason]
          return (
            <li key={reason} class="card">
              <h3>{title}</h3>
              <p>{remedy(agentId)}</p>
              <p class="small">
                Since <Time at={since} />
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Reason = { title: string; remedy: (agentId: string) => ComponentChildren }

const REASONS: Record<RequestRefusal['reason'], Reason> = {
  no_credit: {
    title: 'Not enough request credit',
    remedy: () => (
      <>
        Your credit is less than the fee of a payment. <a href="#credit">Buy credit</a>
      </>
    ),
  },
  day_used_up: {
    title: 'Your daily limit is used up',
    remedy: () =>
      'Your agents have used your share of today’s network fees. Payments work again after midnight UTC.',
  },
  service_day_used_up: {
    title: 'The service’s daily limit is used up',
    remedy: () =>
      'The service has spent its network fees for today. Payments work again after midnight UTC; there is nothing for you to do.',
  },
  no_token_account: {
    title: 'Your wallet can’t receive the token',
    remedy: () =>
      'Add any amount of the token to your wallet: this opens the account. If the account is frozen, ask the token’s issuer.',
  },
  not_active: {
    title: 'The agent was not active',
    remedy: (agentId) => (
      <>
        Only an active agent can be paid. <Link to={`agents/${agentId}`}>View agent</Link>
      </>
    ),
  },
  former_key: {
    title: 'Your server uses an old selling key',
    remedy: () => (
      <>
        Give your server the newest key. If you no longer have it, <a href="#key">replace the key</a>.
      </>
    ),
  },
  not_a_price: {
    title: 'Your server asks for a price that you haven’t set',
    remedy: () => (
      <>
        <a href="#server">Copy the server again</a>, or <a href="#prices">set the price</a> that it asks for.
      </>
    ),
  },
  stale_fee_payer: {
    title: 'Your server uses an old fee account of the service',
    remedy: () => 'Restart your server: it then asks the service for the present one.',
  },
  wrong_accepts: {
    title: 'Your server asks for the wrong payment',
    remedy: () => (
      <>
        The agent, the payee or the network differs from the terms of your agent.{' '}
        <a href="#server">Copy the server again</a>
      </>
    ),
  },
}
