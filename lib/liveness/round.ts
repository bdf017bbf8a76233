import { hostOf } from '../../schema/urls.ts'
import type { HostQueue } from '../../schema/values.ts'
import type { Due } from '../clock/kinds.ts'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from './admission-queries.ts'
import { mayBeAsked } from './ask.ts'
import { nextLooks } from './next-looks.ts'
import { type ProbeDeps, takeTurn } from './turn.ts'
import { selectNextTurns } from './turn-queries.ts'

/** Endpoints named since the last round: the rest is the next round's. */
const MAX_NEW = 1_000
const MAX_IDLE_HOSTS = 1_000
/**
 * How many looks each queue has of a round, so that no queue takes any from another; together 132. Each look
 * makes five requests at most, each turn two statements: a round stays below the thousand of both together
 * that a Worker may ask in one invocation.
 */
const LOOKS: Record<HostQueue, number> = { first: 35, live: 60, live_slow: 12, dead: 15, dead_slow: 10 }
/**
 * How many endpoints of a host are looked at in a turn. No turn begins with fewer: the rest would wait for
 * the next tick.
 */
const LOOKS_PER_TURN: Record<HostQueue, number> = {
  first: 15,
  live: 20,
  live_slow: 10,
  dead: 10,
  dead_slow: 10,
}
/**
 * Which queues take turns at the same time, each list one after the other: as many lists as a Worker may have
 * connections open.
 */
const LANES: readonly HostQueue[][] = [
  ['live'],
  ['live'],
  ['live_slow'],
  ['first'],
  ['first'],
  ['dead', 'dead_slow'],
]
/** After this no further turn begins: a round that takes five minutes has failed. */
const ROUND_MS = 2 * 60_000

/**
 * Looks at the endpoints that are due, host by host. Safe to run twice at once, and to be cut off anywhere:
 * leased endpoints are due again when the lease ends.
 * @returns counts for the log, and when the next round is due, if any
 */
export async function probeRound(
  deps: ProbeDeps,
): Promise<{ admitted: number; probes: number; due: Due | undefined }> {
  const end = deps.clock().getTime() + ROUND_MS
  const admitted = await admitNew(deps)
  await deleteIdleHosts(deps.db, MAX_IDLE_HOSTS)
  let probes = 0
  const left = { ...LOOKS }
  const takeTurns = async (queue: HostQueue) => {
    const limit = LOOKS_PER_TURN[queue]
    while (left[queue] >= limit && deps.clock().getTime() < end) {
      // Taken beforehand: other turns of the queue run meanwhile.
      left[queue] -= limit
      const made = await takeTurn(deps, queue, limit)
      if (made === undefined) return
      // A turn that finds nothing costs a statement, too.
      left[queue] += limit - Math.max(made, 1)
      probes += made
    }
  }
  await Promise.all(
    LANES.map(async (lane) => {
      for (const queue of lane) await takeTurns(queue)
    }),
  )
  const due = nextLooks(await selectNextTurns(deps.db), admitted === MAX_NEW, deps.clock())
  return { admitted, probes, due }
}

/** Puts newly named endpoints in line; an endpoint that may not be asked is never asked. */
async function admitNew({ db, clock, apiHost }: ProbeDeps): Promise<number> {
  const found = await selectNewEndpoints(db, MAX_NEW)
  const endpoints = found.map(({ urlHash, protocol, url }) => ({
    urlHash,
    protocol,
    host: mayBeAsked(url, apiHost) ? hostOf(url) : '',
  }))
  if (endpoints.length > 0) await admitEndpoints(db, endpoints, clock())
  return endpoints.length
}
