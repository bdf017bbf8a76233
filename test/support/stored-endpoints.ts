import { rowJson } from '../../lib/db/columns.ts'
import type { Db } from '../../lib/db/connect.ts'
import * as postgres from '../../lib/db/functions.ts'
import { type EndpointRow, endpointById } from '../../lib/events/endpoints/endpoint-queries.ts'
import { WEBHOOK_ENDPOINTS_PER_WALLET } from '../../lib/quotas/rules.ts'
import { webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import type { Wallet } from '../../schema/wallet.ts'

/* Webhook endpoints past the API, by the functions that the use cases call. */

type Stored = typeof webhookEndpoints.$inferInsert

export type NewEndpoint = Pick<Stored, 'id' | 'wallet' | 'url' | 'eventTypes' | 'agentIds' | 'secret'>

/**
 * Stores an endpoint, the only new one of its address in this hour. Returns none if it is refused; `unowned`
 * has the agents for which, if for any.
 */
export async function insertEndpoint(
  db: Db,
  { now, ...endpoint }: NewEndpoint & { now: Date },
  addressHash: string = crypto.randomUUID(),
): Promise<{ endpoint: EndpointRow | undefined; unowned: string[] }> {
  const { id, wallet } = endpoint
  const counted = { addressHash, webhooksPerAddress: 1 }
  const [{ unowned }, [stored]] = await postgres.createWebhookEndpoint.callThenRead(
    db,
    { endpoint: rowJson(webhookEndpoints, endpoint), limit: WEBHOOK_ENDPOINTS_PER_WALLET, ...counted, now },
    endpointById.item({ id, wallet }),
  )
  return { endpoint: stored, unowned }
}

/** Changes an endpoint of the wallet, if it has one of this id. */
export const updateEndpoint = (
  db: Db,
  endpoint: { id: string; wallet: Wallet; now: Date },
  { enabled, ...changes }: Partial<Stored> & { enabled?: boolean },
) =>
  postgres.changeWebhookEndpoint.call(db, {
    ...endpoint,
    changes: rowJson(webhookEndpoints, changes),
    enabled,
    addressHash: crypto.randomUUID(),
    changesPerAddress: 1,
  })

/** Enqueues a test event for an endpoint, from an address of its own. */
export const askForTest = (
  db: Db,
  test: { endpointId: string; wallet: Wallet; testedBefore: Date; now: Date },
) =>
  postgres.testWebhookEndpoint.call(db, { ...test, addressHash: crypto.randomUUID(), webhooksPerAddress: 1 })
