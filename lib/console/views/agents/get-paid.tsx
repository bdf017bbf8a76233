import type { ComponentChildren } from 'preact'
import { Show } from '../../kit/loaded.tsx'
import { useLoaded } from '../../kit/query.ts'
import { Link } from '../../kit/text.tsx'
import { LEFT_OUT } from '../../left-out.ts'
import { ofKinds } from '../../live/about.ts'
import { addressOf } from '../../router.ts'
import { useConnection } from '../../wallet/connection.tsx'
import { Fee } from './facts.tsx'

/**
 * Lists the open steps until an agent of the wallet can be paid, each with a link. Shows nothing once all
 * are done, or where the deployment has no payments.
 */
export const GetPaid = ({ agentId }: { agentId: string }) =>
  LEFT_OUT.includes('earnings') ? null : <Steps agentId={agentId} />

function Steps({ agentId }: { agentId: string }) {
  const { client } = useConnection()
  const { loaded, reload } = useLoaded(
    agentId,
    async (signal) => {
      const first = { limit: 1 } as const
      const [agent, { endpoints }, { charges }] = await Promise.all([
        client.call('GET /agents/{id}', { path: { id: agentId }, signal }),
        client.call('GET /events/endpoints', { query: first, signal }),
        client.call('GET /payments/charges', { query: { role: 'owner', ...first }, signal }),
      ])
      return { agent, hasWebhook: endpoints.length > 0, hasCharged: charges.length > 0 }
    },
    ofKinds('agent', 'charge', 'endpoint'),
  )
  return (
    <Show loaded={loaded} reload={reload}>
      {({ agent, hasWebhook, hasCharged }) =>
        agent.canBePaid && hasWebhook && hasCharged ? null : (
          <section aria-labelledby="get-paid">
            <h2 id="get-paid">Get paid</h2>
            <p>
              {!LEFT_OUT.includes('selling') && (
                <>
                  Paid per request? <Link to={`selling/${agent.id}`}>Sell requests</Link>: you need no payouts
                  or hires.{' '}
                </>
              )}
              {!LEFT_OUT.includes('jobs') && (
                <>
                  Paid for single pieces of work? Set up payouts, and{' '}
                  <a href={addressOf(`agents/${agent.id}#accept-jobs`)}>accept jobs</a>.{' '}
                </>
              )}
              To be paid for hires:
            </p>
            <ol class="steps">
              <Step isDone={agent.canBePaid === true}>
                <Link to="earnings?side=owner">Set up payouts</Link>: until then nobody can add funds for your
                agents.
              </Step>
              <Step isDone={agent.feeAmount > 0}>
                <Link to={`agents/${agent.id}`}>Set a price</Link>: now <Fee terms={agent} />.
              </Step>
              <Step isDone={hasWebhook}>
                <Link to="developer/webhooks">Add a webhook</Link> to hear of new hires.
              </Step>
              <Step isDone={hasCharged}>
                Charge a hirer for work: open its hire from the list of hires on{' '}
                <Link to={`agents/${agent.id}`}>the agent’s page</Link>, or use the API.
              </Step>
            </ol>
          </section>
        )
      }
    </Show>
  )
}

const Step = ({ isDone, children }: { isDone: boolean; children: ComponentChildren }) => (
  <li>
    <strong>{isDone ? 'Done' : 'To do'}</strong> {children}
  </li>
)
