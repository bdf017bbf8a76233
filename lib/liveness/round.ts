import { hostOf } from '../../schema/urls.ts'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from './admission-queries.ts'
import { mayBeAsked } from './ask.ts'
import { LOOKS_PER_TURN, type ProbeDeps, type Queue, takeTurn } from './turn.ts'

/** Endpoints named since the last round: the rest is the next round's. */
const MAX_NEW = 1_000
const MAX_IDLE_HOSTS = 1_000
/**
 * What each queue has of a round, so that none takes anything from another: turns at the same time, together
 * as many as a Worker may have connections open; and looks, together 130. Each look makes five requests at
 * most, each turn two statements: a round stays below the thousand of both together that a Worker may ask in
 * one invocation.
 */
const QUEUES: readonly (Queue & { turnsAtOnce: number; looks: number })[] = [
  { isLive: true, isSlow: false, turnsAtOnce: 2, looks: 60 },
  { isLive: true, isSlow: true, turnsAtOnce: 1, looks: 15 },
  { isLive: false, isSlow: false, turnsAtOnce: 2, looks: 40 },
  { isLive: false, isSlow: true, turnsAtOnce: 1, looks: 15 },
]
/** After this no further turn begins: the next round comes five minutes after this one. */
const ROUND_MS = 3 * 60_000

/**
 * Looks at the endpoints that are due, host by host. Safe to run twice at once, and to be cut off anywhere:
 * leased endpoints are due again when the lease ends.
 * @returns counts for the log
 */
export async function probeRound(deps: ProbeDeps): Promise<{ admitted: number; probes: number }> {
  const end = deps.clock().getTime() + ROUND_MS
  const admitted = await admitNew(deps)
  await deleteIdleHosts(deps.db, MAX_IDLE_HOSTS)
  let probes = 0
  const takeTurns = async (queue: Queue, looks: { left: number }) => {
    while (looks.left > 0 && deps.clock().getTime() < end) {
      // Taken beforehand: other turns of the queue run meanwhile.
      const limit = Math.min(LOOKS_PER_TURN, looks.left)
      looks.left -= limit
      const made = await takeTurn(deps, queue, limit)
      if (made === undefined) return
      // A turn that finds nothing costs a statement, too.
      looks.left += limit - Math.max(made, 1)
      probes += made
    }
  }
  await Promise.all(
    QUEUES.flatMap(({ turnsAtOnce, looks, ...queue }) => {
      const shared = { left: looks }
      return Array.from({ length: turnsAtOnce }, () => takeTurns(queue, shared))
    }),
  )
  return { admitted, probes }
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
