import { hostOf } from '../../schema/urls.ts'
import type { HostQueue } from '../../schema/values.ts'
import type { Due } from '../clock/jobs.ts'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from './admission-queries.ts'
import { mayBeAsked } from './ask.ts'
import { selectNextHosts } from './host-queries.ts'
import { nextProbes } from './next-probes.ts'
import { type ProbeHostDeps, probeHost } from './probe-host.ts'

/** The most newly named endpoints of a job run. */
const MAX_NEW = 1_000
const MAX_IDLE_HOSTS = 1_000
/**
 * The probes of each queue in a job run, so that queues are independent; 132 together. A probe makes at most
 * five requests and a host two statements, so a job run stays below a Worker's thousand subrequests.
 */
const PROBES: Record<HostQueue, number> = { first: 35, live: 60, live_slow: 12, dead: 15, dead_slow: 10 }
/**
 * The endpoints of a host per batch. No batch begins with fewer left, because the others would wait for the
 * next scheduled run.
 */
const PROBES_PER_HOST: Record<HostQueue, number> = {
  first: 15,
  live: 20,
  live_slow: 10,
  dead: 10,
  dead_slow: 10,
}
/**
 * The queues that run concurrently; the queues of one list run one after the other. There are as many lists
 * as a Worker may have open connections.
 */
const LANES: readonly HostQueue[][] = [
  ['live'],
  ['live'],
  ['live_slow'],
  ['first'],
  ['first'],
  ['dead', 'dead_slow'],
]
/** Time after which no further batch begins; a job run fails after five minutes. */
const RUN_MS = 2 * 60_000

/**
 * Probes the due endpoints, host by host. Safe to run concurrently and to cut off, because leased endpoints
 * are due again when the lease ends.
 * @returns counts for the log, and when the next job run is due, if any
 */
export async function runProbes(
  deps: ProbeHostDeps,
): Promise<{ admitted: number; probes: number; due: Due | undefined }> {
  const end = deps.clock().getTime() + RUN_MS
  const admitted = await admitNew(deps)
  await deleteIdleHosts(deps.db, MAX_IDLE_HOSTS, deps.clock())
  let probes = 0
  const left = { ...PROBES }
  const probeHosts = async (queue: HostQueue) => {
    const limit = PROBES_PER_HOST[queue]
    while (left[queue] >= limit && deps.clock().getTime() < end) {
      // Reserved first, because other batches of the queue run concurrently.
      left[queue] -= limit
      const made = await probeHost(deps, queue, limit)
      if (made === undefined) return
      // A lease without due endpoints costs a statement too.
      left[queue] += limit - Math.max(made, 1)
      probes += made
    }
  }
  await Promise.all(
    LANES.map(async (lane) => {
      for (const queue of lane) await probeHosts(queue)
    }),
  )
  const due = nextProbes(await selectNextHosts(deps.db), admitted === MAX_NEW, deps.clock())
  return { admitted, probes, due }
}

/** Enqueues newly named endpoints, except endpoints that may not be probed. */
async function admitNew({ db, clock, apiHost }: ProbeHostDeps): Promise<number> {
  const found = await selectNewEndpoints(db, MAX_NEW)
  const endpoints = found.map(({ urlHash, protocol, url }) => ({
    urlHash,
    protocol,
    host: mayBeAsked(url, apiHost) ? hostOf(url) : '',
  }))
  if (endpoints.length > 0) await admitEndpoints(db, endpoints, clock())
  return endpoints.length
}
