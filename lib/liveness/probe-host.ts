import type { HostQueue } from '../../schema/values.ts'
import { USED_FOR_MS } from '../agents/parts/rules.ts'
import { nextScheduledRun } from '../clock/jobs.ts'
import type { Db } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import * as postgres from '../db/functions.ts'
import { injected } from '../injected.ts'
import { logError } from '../runtime/log.ts'
import { DAY_MS } from '../time.ts'
import { type LeasedEndpoint, leasedEndpoints, type ProbedState, probeStateJson } from './host-queries.ts'
import { type ProbeDeps, probe } from './probe.ts'
import { nextState, type Seen } from './probe-state.ts'

/**
 * Pause of a host per probe of a batch: at most sixty probes an hour, however many endpoints it has.
 */
export const HOST_PAUSE_MS = 60_000
/** Time limit of a probe with all its requests. */
export const PROBE_MS = injected('PROBE_MS') ?? 15_000
/**
 * A host with a longer probe is slow: the probe ends the batch, and the host is in the queue of slow hosts
 * for a week.
 */
export const SLOW_PROBE_MS = 4_000
const SLOW_FOR_MS = 7 * DAY_MS
/**
 * Duration of a lease: longer than a batch and its recording. After a crash, the host is due again when the
 * lease ends.
 */
export const LEASE_MS = 3 * 60_000

export type ProbeHostDeps = Omit<ProbeDeps, 'until'> & { db: Db }

/**
 * Leases the next due host of a queue, probes its due endpoints and records the results. Endpoints beyond
 * the limit wait for the next scheduled run.
 * @param limit the most endpoints to probe
 * @returns the number of probed endpoints; undefined if no host was due
 */
export async function probeHost(
  deps: ProbeHostDeps,
  queue: HostQueue,
  limit: number,
): Promise<number | undefined> {
  const { db, clock } = deps
  const now = clock()
  const lease = crypto.randomUUID()
  const leasing = { queue, lease, leaseEnd: new Date(now.getTime() + LEASE_MS) }
  const [{ host, slowUntil: wasSlowUntil }, leased] = await postgres.leaseHost.callThenRead(
    db,
    { ...leasing, now, limit },
    leasedEndpoints.item({ ...leasing, usedAfter: new Date(now.getTime() + USED_FOR_MS) }),
  )
  if (host === null) return undefined
  if (leased.length === 0) return 0
  const { states, wasSlow } = await probeAll(deps, leased)
  const left = leased.slice(states.length).map(({ endpoint }) => ({ ...endpoint, nextProbeAt: now }))
  const end = clock().getTime()
  const slowUntil = wasSlow ? new Date(end + SLOW_FOR_MS) : wasSlowUntil
  await postgres.recordProbes.call(db, {
    ...{ host, lease, slowUntil },
    states: [...states, ...left].map(probeStateJson),
    isSlow: slowUntil !== null && slowUntil.getTime() > end,
    freeAt: new Date(end + states.length * HOST_PAUSE_MS),
    leasedAt: now,
    nextScheduledRun: new Date(nextScheduledRun(end)),
  })
  return states.length
}

/** Probes one endpoint after the other, until one is slow. */
async function probeAll(
  deps: ProbeHostDeps,
  leased: LeasedEndpoint[],
): Promise<{ states: ProbedState[]; wasSlow: boolean }> {
  const states: ProbedState[] = []
  for (const one of leased) {
    const startedAt = deps.clock().getTime()
    states.push(await probeOne(deps, one, new Date(startedAt + PROBE_MS)))
    if (deps.clock().getTime() - startedAt > SLOW_PROBE_MS) return { states, wasSlow: true }
  }
  return { states, wasSlow: false }
}

async function probeOne(
  deps: ProbeHostDeps,
  { endpoint, isUsed }: LeasedEndpoint,
  until: Date,
): Promise<ProbedState> {
  const seen = await probe({ ...deps, until }, { ...endpoint, isUsed }).catch((error: unknown): Seen => {
    // An error that a host can cause is a failure of that host only.
    logError({ job: 'probes', reason: reasonOf(error) })
    return { outcome: { kind: 'failed' } }
  })
  const { urlHash, protocol } = endpoint
  return { ...nextState(endpoint, seen, { now: deps.clock(), isUsed }), urlHash, protocol }
}
