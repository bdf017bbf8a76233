import type { Wire } from '../../../schema/wire/common.ts'
import { ListedRoutes } from '../../../schema/wire/x402.ts'
import { answer } from '../../answer.ts'
import { REMEDIES } from './codes.ts'
import type { OwnersRoute } from './list.ts'

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
