import type { Hono } from 'hono'
import { createApp } from '../http/app.ts'
import { CONDITIONAL } from '../http/caching.ts'
import { LIMIT } from '../http/rate-limit.ts'
import { GUARD } from '../http/session.ts'
import { INPUT, type InputSchema } from '../http/validate.ts'
import { readWorkers } from '../wrangler/config.ts'

/** A route as its code says it is. */
export type Route = {
  group: string
  method: string
  /** Below the base address, in OpenAPI's notation: `/agents/{id}`. */
  path: string
  inputs: InputSchema[]
  /** Whether it needs a session token, and which permission if a certain one. */
  guard: string | true | undefined
  limited: boolean
  /** Whether it answers If-None-Match with 304. */
  conditional: boolean
}

/** What our middleware tells of itself. */
type Marks = { [INPUT]?: InputSchema; [GUARD]?: string | true; [LIMIT]?: string; [CONDITIONAL]?: true }

const BASE_PATH = '/v1'

/** Every route of every Worker that wrangler.toml declares, read from the applications themselves. */
export async function readRoutes(): Promise<Route[]> {
  const routes: Route[] = []
  for (const { group, routes: patterns } of readWorkers()) {
    if (patterns.length > 0) routes.push(...routesOf(group, await applicationOf(group)))
  }
  return routes
}

async function applicationOf(group: string): Promise<Hono> {
  const module: { routes: (app: unknown) => void } = await import(`../../functions/${group}/routes.ts`)
  return createApp({ routes: module.routes, deps: () => ({}) }) as unknown as Hono
}

function routesOf(group: string, app: Hono): Route[] {
  const byKey = new Map<string, Route>()
  for (const { method, path: pattern, handler } of app.routes) {
    if (method === 'ALL') continue
    const path = pattern.slice(BASE_PATH.length).replace(/:(\w+)(\{.*\})?/g, '{$1}') || '/'
    const key = `${method} ${path}`
    const route = byKey.get(key) ?? {
      group,
      method,
      path,
      inputs: [],
      guard: undefined,
      limited: false,
      conditional: false,
    }
    byKey.set(key, route)
    const marks = handler as unknown as Marks
    if (marks[INPUT]) route.inputs.push(marks[INPUT])
    route.guard ??= marks[GUARD]
    route.limited ||= marks[LIMIT] !== undefined
    route.conditional ||= marks[CONDITIONAL] === true
  }
  return [...byKey.values()]
}
