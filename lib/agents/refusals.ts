import { isOnHost } from '../../schema/urls.ts'
import { Refusal } from '../refusal.ts'

/** Makes the refusal for an agent that is not there, or not the caller's to know. */
export const agentNotFound = () => new Refusal('agent_not_found', 'There is no such agent.')

/**
 * Refuses a URL for webhooks at this very service, which would be sent its own events.
 * @param path the field that has it
 * @throws Refusal invalid_request
 */
export function requireForeignHost(
  url: string | null | undefined,
  apiHost: string,
  path = 'webhookUrl',
): void {
  if (!url || !isOnHost(url, apiHost)) return
  const message = 'must not be on this service’s own host'
  throw new Refusal('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] })
}
