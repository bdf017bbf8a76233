import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { usedUp } from '../../quotas/errors.ts'
import { catalogAt, RESOURCE_PROBES_PER_HOUR } from '../rules.ts'
import { REJECTIONS } from './codes.ts'
import { agentNotFound, type OwnersRoute, ownersRoutes } from './list.ts'
import { routesOf } from './list-queries.ts'
import { isRouteName } from './route.ts'

type ChangeDeps = { db: Db; now: Date; schedule: ScheduleJob }
type Routes = Promise<{ agentId: string; routes: OwnersRoute[] }>

/**
 * Keeps a route of an agent of the wallet out of the catalog, or lets it be listed again after a probe.
 * @throws ApiError `agent_not_found`, `price_not_found`
 */
export async function hideRoute(
  { db, now, schedule }: ChangeDeps,
  owner: Wallet,
  agentId: string,
  { name, hidden }: { name: string; hidden: boolean },
): Routes {
  const [{ outcome, isCatalogChanged, probeAt }, rows] = await postgres.hideResource.callThenRead(
    db,
    { ...{ agentId, owner, now }, priceName: name, isHidden: hidden },
    routesOf.item({ agentId, owner }),
  )
  if (outcome === 'agent_not_found') throw agentNotFound()
  if (outcome === 'route_not_found')
    throw new ApiError('price_not_found', 'No route of this name was paid for or checked.')
  if (isCatalogChanged) schedule('catalog', catalogAt(now))
  if (probeAt) schedule('looks', probeAt)
  return { agentId, routes: ownersRoutes(rows) }
}

/**
 * Enqueues a probe of a route of an agent of the wallet, at once.
 * @throws ApiError `agent_not_found`, `price_not_found`, `route_not_checkable`, `rate_limited`
 */
export async function requestCheck(
  { db, now, schedule }: ChangeDeps,
  owner: Wallet,
  agentId: string,
  name: string,
): Routes {
  if (!isRouteName(name)) throw notCheckable(REJECTIONS.price_not_a_route)
  const [{ outcome }, rows] = await postgres.requestResourceProbe.callThenRead(
    db,
    {
      ...{ agentId, owner, now },
      priceName: name,
      ownerHash: await addressHash('route checks', owner),
      probesPerHour: RESOURCE_PROBES_PER_HOUR,
    },
    routesOf.item({ agentId, owner }),
  )
  switch (outcome) {
    case 'agent_not_found':
      throw agentNotFound()
    case 'price_not_found':
      throw new ApiError('price_not_found', 'The agent has no price of this name.')
    case 'no_endpoint':
      throw notCheckable(REJECTIONS.no_endpoint)
    case 'agent_not_active':
      throw notCheckable(REJECTIONS.not_active)
    case 'route_hidden':
      throw notCheckable('You keep the route out of the catalog. Show it first.')
    case 'no_credit':
      throw notCheckable('Nobody has paid for the route, and you have never bought credit. Buy credit first.')
    case 'asked_too_often':
      throw usedUp('checks of routes', {
        ...{ policy: 'route-checks', limit: RESOURCE_PROBES_PER_HOUR, per: 'hour', now },
      })
    case 'enqueued':
      // The owner waits, and the database is awake.
      schedule('looks', now, now)
      return { agentId, routes: ownersRoutes(rows) }
  }
}

const notCheckable = (detail: string) => new ApiError('route_not_checkable', detail)
