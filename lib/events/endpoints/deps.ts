import { ApiError } from '../../api-error.ts'
import type { WakeBy } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { Nudge } from '../outbox/nudge.ts'
import type { NewSecret, SecretMaker } from '../secrets/secrets.ts'

/** What the use cases of endpoints need. */
export type EndpointDeps = {
  db: Db
  now: Date
  nudge: Nudge
  wakeBy: WakeBy
  /** The jobs Worker, which alone can seal a secret. */
  secrets: SecretMaker
  /** Our own hosts, comma separated, at which no endpoint may be. */
  apiHost: string
  /** New webhook endpoints and test events, together, of a client's address in an hour. */
  webhooksPerAddress: number
}

/**
 * Has a secret made for an endpoint.
 * @throws ApiError dependency_unavailable
 */
export async function requireSecret({ secrets }: EndpointDeps, endpointId: string): Promise<NewSecret> {
  try {
    return await secrets.make(endpointId)
  } catch (cause) {
    throw new ApiError('dependency_unavailable', 'No secret could be made. Nothing was changed.', {
      retryAfterSeconds: 5,
      cause,
    })
  }
}
