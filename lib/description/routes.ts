import type { Permission } from '../../schema/values.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readWorkers } from '../wrangler/config.ts'

/** An endpoint and the group that has it. */
export type Route = Endpoint<unknown> & { group: string }

/** Reads every endpoint of every Worker that wrangler.toml gives routes, in that order. */
export async function readRoutes(): Promise<Route[]> {
  const routes: Route[] = []
  for (const { group, routes: patterns } of readWorkers()) {
    if (patterns.length === 0) continue
    const module: { routes: Endpoint<unknown>[] } = await import(`../../functions/${group}/routes.ts`)
    routes.push(...module.routes.map((route) => ({ ...route, group })))
  }
  return routes
}

export const keyOf = ({ method, path }: Route): string => `${method} ${path}`

/** The permissions of which a route's callers need one; none where any caller or session will do. */
export const permissionsOf = ({ access }: Route): Permission[] =>
  access === 'public' ? [] : access.permissions
