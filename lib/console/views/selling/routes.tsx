import { useCallback, useState } from 'preact/hooks'
import type { ListedRoute } from '../../../client/generated/types.ts'
import { useAction } from '../../kit/action.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Failure } from '../../kit/loaded.tsx'
import { useRepeated } from '../../kit/query.ts'
import { Badge, Time } from '../../kit/text.tsx'
import { useConnection } from '../../wallet/connection.tsx'
import { isBeingChecked } from './route-state.ts'

/** Shows whether the catalog has each of an agent's routes, and what its owner can do about it. */
export function Routes({
  agentId,
  routes,
  onChanged,
}: {
  agentId: string
  routes: readonly ListedRoute[]
  onChanged: () => void
}) {
  const { client, now } = useConnection()
  const path = { id: agentId }
  const [askedAt, setAskedAt] = useState<Readonly<Record<string, number>>>({})
  const [time, setTime] = useState(now)
  const isChecked = (route: ListedRoute) => isBeingChecked(route, askedAt[route.name], Math.max(time, now()))
  // No event reports a check.
  const poll = useCallback(() => {
    client.call('GET /x402/agents/{id}/resources', { path: { id: agentId } }).then(
      (read) => {
        setTime(now())
        if (JSON.stringify(read.routes) !== JSON.stringify(routes)) onChanged()
      },
      // The next answer counts.
      () => setTime(now()),
    )
  }, [agentId, routes])
  useRepeated(routes.some(isChecked), poll)
  return (
    <section aria-labelledby="catalog">
      <h2 id="catalog">Catalog</h2>
      <p>
        Customers’ software finds your routes in the catalog. A route is listed after its first paid request,
        once the service has seen your server ask for payment. It is in the catalog a few minutes later.
      </p>
      {routes.length === 0 ? (
        <Empty title="No routes yet.">
          <p>
            <a href="#prices">Add a price</a> for a route of your API.
          </p>
        </Empty>
      ) : (
        <ul class="cards" aria-label="Catalog">
          {routes.map((route) => (
            <Route
              key={route.name}
              route={route}
              isChecked={isChecked(route)}
              check={async () => {
                const since = now()
                await client.call('POST /x402/agents/{id}/probes', { path, body: { name: route.name } })
                setAskedAt((before) => ({ ...before, [route.name]: since }))
                onChanged()
              }}
              hide={async (hidden) => {
                await client.call('PATCH /x402/agents/{id}/resources', {
                  path,
                  body: { name: route.name, hidden },
                })
                onChanged()
              }}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

const STATES = {
  unpaid: { tone: 'plain', words: 'Not sold yet' },
  pending: { tone: 'warn', words: 'Being checked' },
  listed: { tone: 'good', words: 'Listed' },
  rejected: { tone: 'bad', words: 'Not listed' },
} as const

function Route({
  route: { name, url, state, code, remedy, hidden, checkedAt },
  isChecked,
  check,
  hide,
}: {
  route: ListedRoute
  isChecked: boolean
  check: () => Promise<void>
  hide: (hidden: boolean) => Promise<void>
}) {
  const { tone, words } = hidden ? { tone: 'plain' as const, words: 'Hidden' } : STATES[state]
  const checking = useAction(check)
  const hiding = useAction(() => hide(!hidden))
  const error = checking.error ?? hiding.error
  const isKnown = state !== 'unpaid' && code !== 'price_not_a_route' && code !== 'price_ended'
  return (
    <li class="card">
      <h3>{name}</h3>
      <p>
        <Badge tone={tone}>{words}</Badge>
        {state === 'listed' && !hidden && code !== undefined && (
          <>
            {' '}
            <Badge tone="warn">Last check failed</Badge>
          </>
        )}
      </p>
      {url !== undefined && <p class="small">{url}</p>}
      {!hidden && code !== undefined && (
        <p>
          <strong>{REASONS[code]}</strong>{' '}
          {code === 'no_endpoint' ? <a href="#address">Set your API’s address</a> : remedy}
          {state === 'listed' && ' A second failed check takes the route off the catalog.'}
        </p>
      )}
      {checkedAt !== undefined && (
        <p class="small">
          Last check: <Time at={checkedAt} />
        </p>
      )}
      <p role="status" class="small">
        {isChecked && 'The service checks this route within five minutes. The result will appear here.'}
      </p>
      {error && <Failure error={error} />}
      <div class="row">
        {!hidden && !isChecked && url !== undefined && (
          <Button isBusy={checking.isBusy} onClick={checking.run}>
            Check now
          </Button>
        )}
        {isKnown && (
          <Button isBusy={hiding.isBusy} onClick={hiding.run}>
            {hidden ? 'Show in catalog' : 'Hide from catalog'}
          </Button>
        )}
      </div>
    </li>
  )
}

const REASONS: Record<NonNullable<ListedRoute['code']>, string> = {
  price_not_a_route: 'The name of this price isn’t a route.',
  price_ended: 'You ended this price.',
  no_endpoint: 'The agent has no public API endpoint.',
  not_active: 'The agent isn’t active.',
  hidden: 'You hid this route.',
  not_named: 'Only GET routes are checked until your host names this agent.',
  not_402: 'Your server didn’t ask for payment.',
  no_header: 'Your server’s answer has no payment terms that x402 clients can read.',
  not_declared: 'Your server doesn’t describe the route.',
  names_another: 'Your server asks for payment to another agent, wallet or network.',
  price_differs: 'Your server asks for another price.',
  too_large: 'The description of the route is too long.',
  unsafe_text: 'The description of the route has hidden characters or a facilitator URL.',
  opted_out: 'Your robots.txt forbids the check.',
  down: 'Your server didn’t answer.',
}
