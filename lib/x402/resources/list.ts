import type { listedRouteStates, RequestResourceCode } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import type { Wire } from '../../../schema/wire/common.ts'
import { ListedRoutes } from '../../../schema/wire/x402.ts'
import { answer } from '../../answer.ts'
import { ApiError } from '../../api-error.ts'
import type { Db } from '../../db/connect.ts'
import { REMEDIES } from './codes.ts'
import { routesOf } from './list-queries.ts'
import { routeOf } from './route.ts'

/** The route of a price, as its owner sees it. */
export type OwnersRoute = {
  name: string
  url: string | undefined
  state: (typeof listedRouteStates)[number]
  code: RequestResourceCode | null
  isHidden: boolean
  checkedAt: Date | null
  nextProbeAt: Date | null
  paidAt: Date | null
}

/**
 * Reads whether the routes of an agent of the wallet are in the catalog, and why not. It is one statement.
 * @throws ApiError `agent_not_found`
 */
export async function listRoutes(
  { db }: { db: Db },
  owner: Wallet,
  agentId: string,
): Promise<{ agentId: string; routes: OwnersRoute[] }> {
  const rows = await routesOf.run(db, { agentId, owner })
  if (rows.length === 0) throw agentNotFound()
  return { agentId, routes: ownersRoutes(rows) }
}

type Row = Awaited<ReturnType<typeof routesOf.run>>[number]

/** Returns the routes of the rows of an agent; the only row of an agent without any has no name. */
export function ownersRoutes(rows: Row[]): OwnersRoute[] {
  return rows.flatMap(({ name, apiEndpoint, state, code, isHidden, ...times }): OwnersRoute[] => {
    if (name === null) return []
    const route = routeOf(name, apiEndpoint)
    const isRoute = typeof route !== 'string'
    const present = state ?? (isRoute ? 'unpaid' : 'rejected')
    return [
      {
        name,
        url: isRoute ? route.url : undefined,
        state: present,
        code: state === null && !isRoute ? route : code,
        isHidden: isHidden ?? false,
        ...times,
      },
    ]
  })
}

export const agentNotFound = () => new ApiError('agent_not_found', 'No agent of this wallet has this id.')

/** Returns an agent's routes, as its owner sees them. */
export const listedRoutesView = ({
  agentId,
  routes,
}: {
  agentId: string
  routes: OwnersRoute[]
}): Wire<typeof ListedRoutes> =>
  answer(ListedRoutes, {
    agentId,
    routes: routes.map(({ isHidden, nextProbeAt, ...route }) => ({
      ...route,
      remedy: route.code && REMEDIES[route.code],
      hidden: isHidden,
      nextCheckAt: nextProbeAt,
    })),
  })
