import type { HostQueue } from '../../schema/values.ts'
import { USED_FOR_MS } from '../agents/parts/rules.ts'
import { nextTick } from '../clock/kinds.ts'
import type { Db } from '../db/connect.ts'
import { reasonOf } from '../db/failures.ts'
import * as postgres from '../db/functions.ts'
import { logError } from '../log.ts'
import { DAY_MS } from '../time.ts'
import { type LookDeps, probe } from './probe.ts'
import { nextState, type Seen } from './probe-state.ts'
import { type LeasedEndpoint, leasedEndpoints, type ProbedState, probeStateJson } from './turn-queries.ts'

/**
 * After a turn its host is left alone for so long for each look: sixty looks an hour at most, however many
 * endpoints it has.
 */
const HOST_PAUSE_MS = 60_000
/** A look ends after this, all its requests together. */
const LOOK_MS = 15_000
/**
 * A host that takes longer for a look is slow: its turn ends with that look, and for a week it has its turns
 * among the slow.
 */
const SLOW_LOOK_MS = 4_000
const SLOW_FOR_MS = 7 * DAY_MS
/**
 * Longer than a turn and recording it can take; after a crash, the wait until another takes over.
 */
const LEASE_MS = 3 * 60_000

export type ProbeDeps = Omit<LookDeps, 'until'> & { db: Db }

/**
 * Takes the turn of one host: looks at its endpoints that are due and records the observations. What is due
 * of it beyond that waits for the next tick.
 * @param limit how many endpoints to look at, at most
 * @returns how many endpoints were looked at; undefined when no host was due
 */
export async function takeTurn(
  deps: ProbeDeps,
  queue: HostQueue,
  limit: number,
): Promise<number | undefined> {
  const { db, clock } = deps
  const now = clock()
  const lease = crypto.randomUUID()
  const turn = { queue, lease, leaseEnd: new Date(now.getTime() + LEASE_MS) }
  const [{ host, slowUntil: wasSlowUntil }, leased] = await postgres.leaseTurn.callThenRead(
    db,
    { ...turn, now, limit },
    leasedEndpoints.item({ ...turn, usedAfter: new Date(now.getTime() + USED_FOR_MS) }),
  )
  if (host === null) return undefined
  if (leased.length === 0) return 0
  const { states, wasSlow } = await lookAtAll(deps, leased)
  const left = leased.slice(states.length).map(({ endpoint }) => ({ ...endpoint, nextProbeAt: now }))
  const end = clock().getTime()
  const slowUntil = wasSlow ? new Date(end + SLOW_FOR_MS) : wasSlowUntil
  await postgres.recordTurn.call(db, {
    ...{ host, lease, slowUntil },
    states: [...states, ...left].map(probeStateJson),
    isSlow: slowUntil !== null && slowUntil.getTime() > end,
    freeAt: new Date(end + states.length * HOST_PAUSE_MS),
    leasedAt: now,
    nextTick: new Date(nextTick(end)),
  })
  return states.length
}

/** Looks at one endpoint after the other, until one is slow. */
async function lookAtAll(
  deps: ProbeDeps,
  leased: LeasedEndpoint[],
): Promise<{ states: ProbedState[]; wasSlow: boolean }> {
  const states: ProbedState[] = []
  for (const one of leased) {
    const startedAt = deps.clock().getTime()
    states.push(await lookAt(deps, one, new Date(startedAt + LOOK_MS)))
    if (deps.clock().getTime() - startedAt > SLOW_LOOK_MS) return { states, wasSlow: true }
  }
  return { states, wasSlow: false }
}

async function lookAt(
  deps: ProbeDeps,
  { endpoint, isUsed }: LeasedEndpoint,
  until: Date,
): Promise<ProbedState> {
  const seen = await probe({ ...deps, until }, { ...endpoint, isUsed }).catch((error: unknown): Seen => {
    // What a host can make us throw is its own failure, and nobody else's.
    logError({ job: 'probes', reason: reasonOf(error) })
    return { outcome: { kind: 'failed' } }
  })
  const { urlHash, protocol } = endpoint
  return { ...nextState(endpoint, seen, { now: deps.clock(), isUsed }), urlHash, protocol }
}
