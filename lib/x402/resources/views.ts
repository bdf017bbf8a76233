import type { Wire } from '../../../schema/wire/common.ts'
import type { ListedRoutes } from '../../../schema/wire/x402.ts'
import { REMEDIES } from './codes.ts'
import type { OwnersRoute } from './list.ts'

/** Returns an agent's routes, as its owner sees them. */
export const listedRoutesView = ({
  agentId,
  routes,
}: {
  agentId: string
  routes: OwnersRoute[]
}): Wire<typeof ListedRoutes> => ({
  agentId,
  routes: routes.map(({ name, url, state, code, isHidden, checkedAt, nextProbeAt, paidAt }) => ({
    name,
    url,
    state,
    code: code ?? undefined,
    remedy: code ? REMEDIES[code] : undefined,
    hidden: isHidden,
    checkedAt: checkedAt?.toISOString(),
    nextCheckAt: nextProbeAt?.toISOString(),
    paidAt: paidAt?.toISOString(),
  })),
})
