import { isOnHost } from '../../schema/urls.ts'
import { Refusal } from '../refusal.ts'

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
