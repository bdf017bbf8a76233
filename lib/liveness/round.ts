import { hostOf } from '../../schema/urls.ts'
import { admitEndpoints, deleteIdleHosts, selectNewEndpoints } from './admission-queries.ts'
import { mayBeAsked } from './ask.ts'
import { type ProbeDeps, takeTurn } from './turn.ts'

/** Endpoints named since the last round: the rest is the next round's. */
const MAX_NEW = 1_000
const MAX_IDLE_HOSTS = 1_000
/**
 * Looks in a round. Each makes five requests at most and takes two statements, so that a round stays below a
 * thousand of both together: it must fit what a Worker may ask in one invocation.
 */
const MAX_PROBES = 130
/**
 * Turns at the same time in each of the two queues: together as many as a Worker may have connections open.
 */
const TURNS_AT_ONCE = 3
/** After this no further turn begins: the next round comes five minutes after this one. */
const ROUND_MS = 3 * 60_000

/**
 * Looks at the endpoints that are due, host by host. Safe to run twice at once, and to be cut off anywhere:
 * what was leased is due again when the lease ends.
 * @returns what was done, for the log
 */
export async function probeRound(deps: ProbeDeps): Promise<{ admitted: number; probes: number }> {
  const startedAt = deps.clock().getTime()
  const admitted = await admitNew(deps)
  await deleteIdleHosts(deps.db, MAX_IDLE_HOSTS)
  let probes = 0
  const isOver = () => probes >= MAX_PROBES || deps.clock().getTime() - startedAt >= ROUND_MS
  const work = async (isLive: boolean) => {
    while (!isOver()) {
      const made = await takeTurn(deps, isLive)
      if (made === undefined) return
      probes += made
    }
  }
  const queues = [true, false].flatMap((isLive) => Array<boolean>(TURNS_AT_ONCE).fill(isLive))
  await Promise.all(queues.map(work))
  return { admitted, probes }
}

/** Puts what was named since in line; what may not be asked is never asked. */
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
