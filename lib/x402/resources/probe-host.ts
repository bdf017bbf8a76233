import { nextScheduledRun } from '../../clock/jobs.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import { reasonOf } from '../../db/failures.ts'
import * as postgres from '../../db/functions.ts'
import { type AskDeps, mayBeAsked } from '../../liveness/ask.ts'
import { HOST_PAUSE_MS, LEASE_MS, PROBE_MS, SLOW_PROBE_MS } from '../../liveness/probe-host.ts'
import { daysAfter, scheduledRunAfter } from '../../liveness/probe-state.ts'
import { readRobotsText } from '../../liveness/read-robots.ts'
import { logError } from '../../runtime/log.ts'
import { catalogAt } from '../rules.ts'
import type { DueRoute } from './due-queries.ts'
import { type Found, probeRoute } from './probe.ts'
import { routeOf } from './route.ts'

export type ResourceDeps = Omit<AskDeps, 'until'> & {
  db: Db
  schedule: ScheduleJob
  /** X402_NETWORK */
  network: string
}

type Leased = Awaited<ReturnType<typeof postgres.leaseResources.rows>>[number]

type Outcome = Found | { outcome: 'left' | 'no_endpoint' | 'not_active' | 'price_ended' | 'not_named' }

/**
 * Leases a host for its due priced routes, probes them and records the findings.
 * @param limit the most routes to probe
 * @returns the number of requests and statements
 */
export async function probeRoutes(
  deps: ResourceDeps,
  host: string,
  routes: DueRoute[],
  limit: number,
): Promise<{ probed: number; subrequests: number }> {
  const now = deps.clock()
  const lease = crypto.randomUUID()
  const leaseEnd = new Date(now.getTime() + LEASE_MS)
  const leased = await postgres.leaseResources.rows(deps.db, {
    host,
    ...listsOf(routes),
    ...{ lease, limit, now, leaseEnd },
  })
  if (leased.length === 0) return { probed: 0, subrequests: 1 }
  const { outcomes, probed } = await probeAll(deps, leased)
  const end = deps.clock()
  const { recorded, isCatalogChanged } = await postgres.recordResources.call(deps.db, {
    ...{ host, lease, leaseEnd },
    ...listsOf(leased),
    outcomes: outcomes.map(({ outcome }) => outcome),
    documents: outcomes.map((found) => ('document' in found ? found.document : '')),
    busyUntil: outcomes.map((found) =>
      'retryAfterMs' in found ? new Date(nextScheduledRun(end.getTime() + found.retryAfterMs)) : end,
    ),
    freeAt: new Date(end.getTime() + probed * HOST_PAUSE_MS),
    nextScheduledRun: scheduledRunAfter(end),
    nextDaily: daysAfter(end, 1),
    now: end,
  })
  if (recorded > 0 && isCatalogChanged) deps.schedule('catalog', catalogAt(end))
  // The lease, robots.txt, a request for each probe, the record.
  return { probed, subrequests: 3 + probed }
}

const listsOf = (routes: DueRoute[]) => ({
  agentIds: routes.map(({ agentId }) => agentId),
  priceNames: routes.map(({ priceName }) => priceName),
  urls: routes.map(({ url }) => url),
})

/** Probes one route after the other, until one is slow. */
async function probeAll(deps: ResourceDeps, leased: Leased[]) {
  let robots: string | undefined
  let probed = 0
  let isSlow = false
  const outcomes: Outcome[] = []
  for (const one of leased) {
    const ready = isSlow ? 'left' : readyFor(deps, one)
    if (typeof ready === 'string') {
      outcomes.push({ outcome: ready })
      continue
    }
    const startedAt = deps.clock().getTime()
    const asking = { ...deps, until: new Date(startedAt + PROBE_MS) }
    robots ??= (await readRobotsText(asking, one.url)) ?? ''
    const found = await probeRoute(asking, robots, ready).catch((error: unknown): Outcome => {
      // An error that a host can cause is a finding about that host only.
      logError({ job: 'probes', reason: reasonOf(error) })
      return { outcome: 'no_header' }
    })
    outcomes.push(found)
    if (found.outcome !== 'opted_out') probed += 1
    isSlow = deps.clock().getTime() - startedAt > SLOW_PROBE_MS
  }
  return { outcomes, probed }
}

/** Returns what to expect from a leased route, or why it is not probed. */
function readyFor({ apiHost, network }: ResourceDeps, one: Leased) {
  const { agentId, priceName, url, owner, isActive, asset, amount, isNamed } = one
  if (!isActive) return 'not_active'
  if (asset === null || amount === null) return 'price_ended'
  const route = routeOf(priceName, url)
  if (typeof route === 'string' || !mayBeAsked(url, apiHost)) return 'no_endpoint'
  const { method } = route
  // Another method may have effects, so only a host that named the agent is asked.
  if (method !== 'GET' && method !== 'HEAD' && !isNamed) return 'not_named'
  return { agentId, owner, priceName, asset, amount, network, method, url }
}
