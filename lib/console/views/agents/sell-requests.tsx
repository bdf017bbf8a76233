import { Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'

/** Leads an owner to selling single requests. Nothing where the deployment has no payments. */
export const SellRequests = ({ agentId }: { agentId: string }) =>
  LEFT_OUT.includes('selling') ? null : (
    <section aria-labelledby="sell">
      <h2 id="sell">Paid requests</h2>
      <p>Sell single requests to this agent’s API, without a hire. Customers pay with any x402 client.</p>
      <Link to={`selling/${agentId}`} class="button">
        Sell requests
      </Link>
    </section>
  )
