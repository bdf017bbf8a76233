import type { Wallet } from '../../../schema/wallet.ts'
import * as postgres from '../../db/functions.ts'
import { addressHash } from '../../quotas/address.ts'
import { testedTooSoon, tooManyWebhooks } from '../../quotas/errors.ts'
import { TEST_INTERVAL_MS } from '../../quotas/rules.ts'
import type { DeliveryRow } from '../list-queries.ts'
import type { EndpointDeps } from './deps.ts'
import { endpointDisabled, endpointNotFound } from './errors.ts'

/**
 * Sends an endpoint the event `endpoint.test`, regardless of its event types.
 * @param address the client's address, which has an hourly limit of tests and new endpoints
 * @throws ApiError `endpoint_not_found`, `webhook_disabled`, `rate_limited`
 */
export async function sendTest(
  { db, now, notify, webhooksPerAddress }: Pick<EndpointDeps, 'db' | 'now' | 'notify' | 'webhooksPerAddress'>,
  wallet: Wallet,
  endpointId: string,
  address: string,
): Promise<DeliveryRow> {
  const testedBefore = new Date(now.getTime() - TEST_INTERVAL_MS)
  const counted = { addressHash: await addressHash('webhooks', address), webhooksPerAddress }
  const test = { endpointId, wallet, testedBefore, ...counted, now }
  const { outcome, eventId } = await postgres.testWebhookEndpoint.call(db, test)
  switch (outcome) {
    case 'endpoint_not_found':
      throw endpointNotFound()
    case 'webhook_disabled':
      throw endpointDisabled()
    case 'tested_too_soon':
      throw testedTooSoon()
    case 'address_too_often':
      throw tooManyWebhooks(webhooksPerAddress, now)
    case 'sent':
      if (eventId === null) throw new Error('the sent test has no event')
      notify([endpointId])
      return {
        endpointId,
        eventId,
        type: 'endpoint.test',
        agentId: null,
        status: 'pending',
        attempts: 0,
        createdAt: now,
        nextAttemptAt: now,
        lastAttemptAt: null,
        lastResponseCode: null,
        lastFailure: null,
      }
  }
}
