import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { within } from '../../time.ts'
import type { NewSecret, SecretMaker } from './secrets.ts'

/** After this time an agent is saved without a secret. */
const SECRET_TIMEOUT_MS = 2_000

/**
 * Requests a secret for an agent's webhook from the jobs Worker. If it does not answer, the service's key
 * alone signs, and the owner requests a secret later.
 * @returns undefined if the jobs Worker does not answer
 */
export async function trySecret(secrets: SecretMaker, agentId: string): Promise<NewSecret | undefined> {
  try {
    return await within(SECRET_TIMEOUT_MS, secrets.make(agentId))
  } catch (error) {
    logError({ secrets: 'make', agentId, reason: reasonOf(error) })
    return undefined
  }
}
