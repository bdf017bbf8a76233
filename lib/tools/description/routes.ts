import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Permission } from '../../../schema/values.ts'
import { type Operation, sessionAccessOf } from '../../http/operation.ts'
import { readWorkers } from '../wrangler.ts'

/** An operation and its group. */
export type Route = Operation<unknown> & { group: string }

/** Reads the operations of all Workers, in wrangler.toml's order. */
export async function readRoutes(): Promise<Route[]> {
  const routes: Route[] = []
  for (const { group, main } of readWorkers()) {
    const file = join(dirname(main), 'routes.ts')
    if (!existsSync(file)) continue
    const module: { routes: Operation<unknown>[] } = await import(pathToFileURL(file).href)
    routes.push(...module.routes.map((route) => ({ ...route, group })))
  }
  return routes
}

export const keyOf = ({ method, path }: Route): string => `${method} ${path}`

/**
 * Returns the permissions of a route: a caller needs one of them. Empty if any caller or session is enough.
 */
export const permissionsOf = ({ access }: Route): Permission[] => sessionAccessOf(access)?.permissions ?? []
