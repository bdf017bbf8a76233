import { and, desc, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../../schema/tables/webhook-endpoints.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { WebhookEndpointKind } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { webhooks } from '../../agents/parts/part-queries.ts'
import type { Builder } from '../../db/builder.ts'
import { type RowValues, rowJson } from '../../db/columns.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { allEndpoints } from '../all-endpoint-queries.ts'
import { isDestinationOf } from '../destination-queries.ts'

/** The columns of an endpoint that its owner sees, without secrets. */
export const ownColumns = {
  id: webhookEndpoints.id,
  wallet: webhookEndpoints.wallet,
  url: webhookEndpoints.url,
  description: webhookEndpoints.description,
  eventTypes: webhookEndpoints.eventTypes,
  agentIds: webhookEndpoints.agentIds,
  createdAt: webhookEndpoints.createdAt,
  disabledAt: webhookEndpoints.disabledAt,
  disabledReason: webhookEndpoints.disabledReason,
}

/**
 * The state of an endpoint's URL. The first column is null only without a row: the left join relies on it.
 */
export const destinationColumns = {
  lastAttemptAt: webhookTargets.lastAttemptAt,
  answeredAt: webhookTargets.answeredAt,
  provenAt: webhookTargets.provenAt,
  unconfirmedReason: webhookTargets.unconfirmedReason,
  failingSince: webhookTargets.failingSince,
  heldUntil: webhookTargets.heldUntil,
}

/** An endpoint as its owner sees it: its settings, and the known state of its URL. */
export type EndpointRow = Pick<typeof webhookEndpoints.$inferSelect, keyof typeof ownColumns> & {
  kind: WebhookEndpointKind
  destination: Pick<typeof webhookTargets.$inferSelect, keyof typeof destinationColumns> | null
}

const rowColumns = (endpoint: ReturnType<typeof allEndpoints>) => ({
  id: endpoint.id,
  kind: endpoint.kind,
  wallet: endpoint.wallet,
  url: endpoint.url,
  description: endpoint.description,
  eventTypes: endpoint.eventTypes,
  agentIds: endpoint.agentIds,
  createdAt: endpoint.createdAt,
  disabledAt: endpoint.disabledAt,
  disabledReason: endpoint.disabledReason,
  destination: destinationColumns,
})

const endpointPage = read(
  {
    wallet: webhookEndpoints.wallet,
    before: optional(webhookEndpoints.id),
    limit: 'integer',
  },
  (db, $, shape: { isContinued: boolean }) => {
    const endpoint = allEndpoints(db)
    return db
      .select(rowColumns(endpoint))
      .from(endpoint)
      .leftJoin(webhookTargets, isDestinationOf(endpoint))
      .where(and(eq(endpoint.wallet, $.wallet), shape.isContinued ? lt(endpoint.id, $.before) : undefined))
      .orderBy(desc(endpoint.id))
      .limit($.limit)
  },
)

/** Reads up to `limit` of the wallet's endpoints, newest first, after one of them. */
export const selectEndpoints = (
  db: Db,
  page: { wallet: Wallet; before: string | undefined; limit: number },
): Promise<EndpointRow[]> => endpointPage.run(db, page, { isContinued: page.before !== undefined })

/** Returns columns of an endpoint as JSON for functions of Postgres. */
export const endpointJson = (values: RowValues<typeof webhookEndpoints>) => rowJson(webhookEndpoints, values)

/** Reads an endpoint of the wallet; also works after a write in the same transaction. */
export const endpointById = read({ id: 'uuid', wallet: webhookEndpoints.wallet }, (db, $) => {
  const endpoint = allEndpoints(db)
  return db
    .select(rowColumns(endpoint))
    .from(endpoint)
    .leftJoin(webhookTargets, isDestinationOf(endpoint))
    .where(and(eq(endpoint.id, $.id), eq(endpoint.wallet, $.wallet)))
})

/** Finds an endpoint of the wallet. */
export async function findEndpoint(
  db: Db,
  endpoint: { id: string; wallet: Wallet },
): Promise<EndpointRow | undefined> {
  const [row] = await endpointById.run(db, endpoint)
  return row
}

/** Whether this id names an agent of the wallet with a webhook. */
export const isOwnWebhook = (
  db: Builder,
  { id, wallet }: { id: SQLWrapper; wallet: SQLWrapper },
): SQL<boolean> => {
  const webhook = webhooks(db)
  return sql<boolean>`exists (select from ${webhook}
    where ${webhook.agentId} = ${id} and ${webhook.wallet} = ${wallet})`
}
