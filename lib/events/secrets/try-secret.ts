import { reasonOf } from '../../db/failures.ts'
import { logError } from '../../runtime/log.ts'
import { within } from '../../time.ts'
import type { NewSecret, SecretMaker } from './secrets.ts'

/** An agent is saved without a secret after this. */
const SECRET_TIMEOUT_MS = 2_000

/**
 * Has a secret made for an agent's webhook. While the jobs Worker does not answer there is none: the webhook
 * is signed by the service's key alone, and its owner asks for a secret later.
 */
export async function trySecret(secrets: SecretMaker, agentId: string): Promise<NewSecret | undefined> {
  try {
    return await within(SECRET_TIMEOUT_MS, secrets.make(agentId))
  } catch (error) {
    logError({ secrets: 'make', agentId, reason: reasonOf(error) })
    return undefined
  }
}
