import type { Db } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import { logError } from '../log.ts'
import { type LookDeps, probe } from './probe.ts'
import { nextSight, type Seen } from './sight.ts'
import { type LeasedEndpoint, leaseTurn, recordTurn, type Sighted } from './turn-queries.ts'

/** How many endpoints of a host are looked at in one turn, one after the other. */
const PROBES_PER_TURN = 10
/**
 * After a turn its host is left alone for so long: sixty looks an hour at most, however many endpoints it
 * has.
 */
const HOST_PAUSE_MS = 10 * 60_000
/** After this no further look of a turn begins. */
const TURN_MS = 60_000
/**
 * Longer than a turn's last look and recording it can take; after a crash, the wait until another takes over.
 */
const LEASE_MS = 3 * 60_000

export type ProbeDeps = LookDeps & { db: Db; random: () => number }

/**
 * Takes the turn of one host: looks at its endpoints that are due and records what was seen.
 * @param isLive which queue: hosts that were found live have one of their own, so that no flood of others
 *   delays them
 * @returns how many were looked at; undefined when no host was due
 */
export async function takeTurn(deps: ProbeDeps, isLive: boolean): Promise<number | undefined> {
  const { db, clock } = deps
  const startedAt = clock()
  const turn = await leaseTurn(db, {
    isLive,
    lease: crypto.randomUUID(),
    now: startedAt,
    leaseEnd: new Date(startedAt.getTime() + LEASE_MS),
    limit: PROBES_PER_TURN,
  })
  if (turn === undefined || turn.endpoints.length === 0) return turn && 0
  const sights: Sighted[] = []
  const left: Sighted[] = []
  for (const endpoint of turn.endpoints) {
    const now = clock()
    if (now.getTime() - startedAt.getTime() >= TURN_MS) left.push({ ...endpoint, nextProbeAt: now })
    else sights.push(await lookAt(deps, endpoint))
  }
  await recordTurn(
    db,
    {
      ...turn,
      isLive: sights.every(({ status }) => status === 'live'),
      freeAt: new Date(clock().getTime() + HOST_PAUSE_MS),
    },
    [...sights, ...left],
  )
  return sights.length
}

async function lookAt(deps: ProbeDeps, endpoint: LeasedEndpoint): Promise<Sighted> {
  const seen = await probe(deps, endpoint).catch((error: unknown): Seen => {
    // What a host can make us throw is its own failure, and nobody else's.
    logError({ job: 'probes', reason: reasonOf(error) })
    return { outcome: { kind: 'failed' } }
  })
  const { urlHash, protocol } = endpoint
  return { ...nextSight(endpoint, seen, { now: deps.clock(), jitter: deps.random() }), urlHash, protocol }
}
