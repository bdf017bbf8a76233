import { isOnHost } from '../../../schema/urls.ts'
import { Refusal } from '../../refusal.ts'

/** Makes the refusal for an endpoint that is not there, or not the caller's to know. */
export const endpointNotFound = () => new Refusal('endpoint_not_found', 'You have no such endpoint.')

/** Makes the refusal to change an endpoint that is an agent's webhook, or one that is not there. */
export const notChangeable = ({ isWebhook }: { isWebhook: boolean }) =>
  isWebhook
    ? new Refusal(
        'endpoint_of_agent',
        'This endpoint is the webhookUrl of your agent; change it by PATCH /agents/{id}.',
      )
    : endpointNotFound()

/** Makes the refusal to send to an endpoint that is disabled. */
export const endpointDisabled = () =>
  new Refusal(
    'webhook_disabled',
    'Nothing is sent to the endpoint: it is paused, has answered 410, or nothing with 2xx for five days, or too many deliveries waited. Enable it first: set `enabled`, or webhookUrl of the agent.',
  )

/** Makes the refusal to replay to an endpoint whose receiver has not consented. */
export const endpointUnconfirmed = () =>
  new Refusal(
    'webhook_unconfirmed',
    'The URL answers with 2xx, but is not proven. Send back the challenge that it received, then replay.',
  )

/** Makes the refusal of agents that are not the caller's. */
export function notYourAgents(agentIds: readonly string[], unowned: readonly string[]): Refusal {
  const message = 'is not an agent of yours'
  const errors = agentIds.flatMap((id, i) =>
    unowned.includes(id) ? [{ path: `agentIds.${i}`, message }] : [],
  )
  return new Refusal('invalid_request', `${errors[0]?.path} ${message}.`, { errors })
}

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
