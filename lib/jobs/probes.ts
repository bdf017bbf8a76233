import { probeRound } from '../liveness/round.ts'
import type { ProbeDeps } from '../liveness/turn.ts'
import { logInfo } from '../log.ts'

/** Looks at the endpoints that are due. Logs what it did as one JSON line. */
export async function probeEndpoints(deps: ProbeDeps): Promise<void> {
  logInfo({ job: 'probes', ...(await probeRound(deps)) })
}
