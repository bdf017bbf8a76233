import type { Wallet } from '../../../schema/wallet.ts'
import { ApiError } from '../../api-error.ts'
import * as postgres from '../../db/functions.ts'
import type { EndpointDeps } from './deps.ts'
import { type EndpointRow, endpointById } from './endpoint-queries.ts'
import { endpointNotFound } from './errors.ts'

/**
 * Proves an endpoint's URL by the challenge that its receiver got, for receivers that can't answer it
 * themselves. It enqueues the waiting deliveries.
 * @param input.id the endpoint, or the agent with the webhook
 * @throws ApiError `endpoint_not_found`; `invalid_request` for another challenge
 */
export async function confirmEndpoint(
  { db, now, notify }: Pick<EndpointDeps, 'db' | 'now' | 'notify'>,
  wallet: Wallet,
  { id, challenge }: { id: string; challenge: string },
): Promise<EndpointRow> {
  const [{ outcome, toNotify }, [endpoint]] = await postgres.confirmWebhookEndpoint.callThenRead(
    db,
    { id, wallet, challenge, now },
    endpointById.item({ id, wallet }),
  )
  switch (outcome) {
    case 'endpoint_not_found':
      throw endpointNotFound()
    case 'wrong_challenge': {
      const message = 'is not the challenge that this endpoint was sent'
      throw new ApiError('invalid_request', `challenge ${message}.`, {
        errors: [{ path: 'challenge', message }],
      })
    }
    case 'confirmed':
      if (!endpoint) throw new Error('the confirmed endpoint is missing')
      notify(toNotify)
      return endpoint
  }
}
