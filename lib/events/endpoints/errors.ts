import { span } from '../../../schema/figures.ts'
import { isOnHost } from '../../../schema/urls.ts'
import { ApiError } from '../../api-error.ts'
import { FAILING_LIMIT_MS } from '../limits.ts'

/** Makes the error for an endpoint that does not exist or belongs to another wallet. */
export const endpointNotFound = () => new ApiError('endpoint_not_found', 'You have no endpoint with this id.')

/** Makes the error for a change of an agent's own webhook endpoint, or of one that does not exist. */
export const notChangeable = ({ isWebhook }: { isWebhook: boolean }) =>
  isWebhook
    ? new ApiError(
        'endpoint_of_agent',
        'This endpoint is the webhookUrl of your agent; change it with PATCH /agents/{id}.',
      )
    : endpointNotFound()

/** Makes the error for sending to a disabled endpoint. */
export const endpointDisabled = () =>
  new ApiError(
    'webhook_disabled',
    `The endpoint is disabled: it was paused, answered 410, answered no 2xx for ${span(FAILING_LIMIT_MS, 'day')}, or had too many waiting deliveries. Enable it first: set \`enabled\`, or the agent’s webhookUrl.`,
  )

/** Makes the error for a replay to an endpoint whose receiver has not consented. */
export const endpointUnconfirmed = () =>
  new ApiError(
    'webhook_unconfirmed',
    'The URL answers with 2xx, but is not proven. Confirm the endpoint with the challenge that it received, then replay.',
  )

/** Makes the error for agents of other wallets. */
export function notYourAgents(agentIds: readonly string[], unowned: readonly string[]): ApiError {
  const message = 'is not an agent of yours'
  const errors = agentIds.flatMap((id, i) =>
    unowned.includes(id) ? [{ path: `agentIds.${i}`, message }] : [],
  )
  return new ApiError('invalid_request', `${errors[0]?.path} ${message}.`, { errors })
}

/**
 * Requires that a webhook's URL is not on this service's host: the service would send itself its own events.
 * @param path the field with the URL
 * @throws ApiError `invalid_request`
 */
export function requireForeignHost(
  url: string | null | undefined,
  apiHost: string,
  path = 'webhookUrl',
): void {
  if (!url || !isOnHost(url, apiHost)) return
  const message = 'must not be on this service’s own host'
  throw new ApiError('invalid_request', `${path} ${message}.`, { errors: [{ path, message }] })
}
