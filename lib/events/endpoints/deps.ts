import { ApiError } from '../../api-error.ts'
import type { ScheduleJob } from '../../clock/wake.ts'
import type { Db } from '../../db/connect.ts'
import type { Notify } from '../outbox/notify.ts'
import type { NewSecret, SecretMaker } from '../secrets/secrets.ts'

/** Dependencies of the use cases of endpoints. */
export type EndpointDeps = {
  db: Db
  now: Date
  notify: Notify
  schedule: ScheduleJob
  /** The jobs Worker: only it can encrypt a secret. */
  secrets: SecretMaker
  /** The hosts of this service, separated by commas. No endpoint may be at one of them. */
  apiHost: string
  /** The most new webhook endpoints and test events, together, an hour for one client address. */
  webhooksPerAddress: number
}

/**
 * Requests a secret for an endpoint from the jobs Worker.
 * @throws ApiError `dependency_unavailable` if it does not answer
 */
export async function requireSecret({ secrets }: EndpointDeps, endpointId: string): Promise<NewSecret> {
  try {
    return await secrets.make(endpointId)
  } catch (cause) {
    throw new ApiError(
      'dependency_unavailable',
      'The secret could not be made, and nothing was changed. Try again.',
      {
        retryAfterSeconds: 5,
        cause,
      },
    )
  }
}
