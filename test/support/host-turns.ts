import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { type LeasedEndpoint, leasedEndpoints, probeStateJson } from '../../lib/liveness/turn-queries.ts'
import type { HostQueue } from '../../schema/values.ts'

/** A host's turn without the job: the host and its leased endpoints. */
export type Turn = { host: string; lease: string; endpoints: LeasedEndpoint[] }

/** Leases the next turn of a queue; undefined when no host is due. */
export async function leaseTurn(
  db: Db,
  turn: { queue: HostQueue; lease: string; now: Date; leaseEnd: Date; limit: number },
): Promise<Turn | undefined> {
  const [{ host }, leased] = await postgres.leaseTurn.callThenRead(
    db,
    turn,
    leasedEndpoints.item({ ...turn, usedAfter: turn.now }),
  )
  if (host === null) return undefined
  return { host, lease: turn.lease, endpoints: leased }
}

/** Records a turn that was leased before. Its endpoints are due again at `nextProbeAt`. */
export const recordTurn = (
  db: Db,
  { host, lease, endpoints }: Turn,
  {
    nextProbeAt,
    freeAt,
    leasedAt,
    nextScheduledRun,
  }: { nextProbeAt: Date | null; freeAt: Date; leasedAt?: Date; nextScheduledRun?: Date },
) => {
  const states = endpoints.map(({ endpoint }) => probeStateJson({ ...endpoint, nextProbeAt }))
  const times = { freeAt, leasedAt: leasedAt ?? new Date(0), nextScheduledRun: nextScheduledRun ?? freeAt }
  return postgres.recordTurn.call(db, { host, lease, states, isSlow: false, ...times })
}
