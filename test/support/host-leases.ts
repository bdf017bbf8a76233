import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { type LeasedEndpoint, leasedEndpoints, probeStateJson } from '../../lib/liveness/host-queries.ts'
import type { HostQueue } from '../../schema/values.ts'

/** A leased host: its name, and its leased endpoints. */
export type HostLease = { host: string; lease: string; endpoints: LeasedEndpoint[] }

/** Leases the next due host of a queue; undefined when no host is due. */
export async function leaseHost(
  db: Db,
  leasing: { queue: HostQueue; lease: string; now: Date; leaseEnd: Date; limit: number },
): Promise<HostLease | undefined> {
  const [{ host }, leased] = await postgres.leaseHost.callThenRead(
    db,
    leasing,
    leasedEndpoints.item({ ...leasing, usedAfter: leasing.now }),
  )
  if (host === null) return undefined
  return { host, lease: leasing.lease, endpoints: leased }
}

/** Records the probes of a leased host. Its endpoints are due again at `nextProbeAt`. */
export const recordProbes = (
  db: Db,
  { host, lease, endpoints }: HostLease,
  {
    nextProbeAt,
    freeAt,
    leasedAt,
    nextScheduledRun,
  }: { nextProbeAt: Date | null; freeAt: Date; leasedAt?: Date; nextScheduledRun?: Date },
) => {
  const states = endpoints.map(({ endpoint }) => probeStateJson({ ...endpoint, nextProbeAt }))
  const times = { freeAt, leasedAt: leasedAt ?? new Date(0), nextScheduledRun: nextScheduledRun ?? freeAt }
  return postgres.recordProbes.call(db, { host, lease, states, isSlow: false, ...times })
}
