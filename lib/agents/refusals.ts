import { isOnHost } from '../../schema/urls.ts'
import { Refusal } from '../refusal.ts'

/** Makes the refusal for an agent that is not there, or not the caller's to know. */
export const agentNotFound = () => new Refusal('agent_not_found', 'There is no such agent.')

/**
 * Refuses a webhook at this very service, which would be sent its own events.
 * @throws Refusal invalid_request
 */
export function requireForeignHost(webhookUrl: string | null | undefined, apiHost: string): void {
  if (!webhookUrl || !isOnHost(webhookUrl, apiHost)) return
  throw new Refusal('invalid_request', 'webhookUrl must not be on this service’s own host.', {
    errors: [{ path: 'webhookUrl', message: 'must not be on this service’s own host' }],
  })
}
