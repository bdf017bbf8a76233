import { hostOf } from '../../../schema/urls.ts'
import { type Due, dueAt, dueAtOnce } from '../../clock/jobs.ts'
import { type DueRoute, nextRouteProbe, selectDueRoutes } from './due-queries.ts'
import { probeRoutes, type ResourceDeps } from './probe-host.ts'

/** The most due routes that a job run reads. */
const MAX_DUE = 200
/** The most routes of a host per batch. Then the host pauses a minute for each. */
const ROUTES_PER_HOST = 20
/**
 * The most requests and statements of a job run for routes. A Worker may make a thousand; the probes of
 * endpoints, which follow, make up to 930 of them.
 */
const SUBREQUESTS = 60
/** Batches at a time. A Worker may have six open connections. */
const LANES = 6
/** Time after which no further batch begins, so that the probes of endpoints begin soon. */
const ROUTES_RUN_MS = 30_000

/**
 * Probes the due priced routes, host by host, the ones first that have waited longest. Safe to run
 * concurrently and to cut off, because leased routes are due again when the lease ends.
 * @returns the number of probed routes, and when the next job run is due for them, if any
 */
export async function probeResources(deps: ResourceDeps): Promise<{ probed: number; due: Due | undefined }> {
  const end = deps.clock().getTime() + ROUTES_RUN_MS
  const hosts = [...byHost(await selectDueRoutes(deps.db, MAX_DUE, deps.clock()))]
  let left = SUBREQUESTS
  let probed = 0
  const probeHosts = async () => {
    while (hosts.length > 0 && left > 3 && deps.clock().getTime() < end) {
      const [host, routes] = hosts.shift() ?? ['', []]
      const limit = Math.min(ROUTES_PER_HOST, left - 3)
      // Reserved first, because other batches run concurrently.
      const reserved = 3 + Math.min(limit, routes.length)
      left -= reserved
      const made = await probeRoutes(deps, host, routes, limit)
      left += reserved - made.subrequests
      probed += made.probed
    }
  }
  await Promise.all(Array.from({ length: LANES }, probeHosts))
  const nextAt = await nextRouteProbe(deps.db)
  const now = deps.clock().getTime()
  const due = nextAt && (nextAt.getTime() <= now ? dueAtOnce(now) : dueAt('looks', nextAt.getTime()))
  return { probed, due }
}

function byHost(routes: DueRoute[]): Map<string, DueRoute[]> {
  const hosts = new Map<string, DueRoute[]>()
  for (const route of routes) {
    const host = hostOf(route.url)
    hosts.set(host, [...(hosts.get(host) ?? []), route])
  }
  return hosts
}
