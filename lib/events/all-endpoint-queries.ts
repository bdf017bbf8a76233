import { type SQL, sql } from 'drizzle-orm'
import { webhookEndpoints } from '../../schema/tables/webhook-endpoints.ts'
import type { WebhookEndpointKind } from '../../schema/values.ts'
import type { Wallet } from '../../schema/wallet.ts'
import type { EventType } from '../../schema/wire/event-types/table.ts'
import { webhooks } from '../agents/parts/part-queries.ts'
import type { Builder } from '../db/builder.ts'

/** The data that a request to an endpoint needs. */
export type Endpoint = {
  id: string
  kind: WebhookEndpointKind
  wallet: Wallet
  url: string
  /** The encrypted secrets, newest first; two during a rotation. An agent's webhook may have none. */
  secrets: string[]
}

/**
 * Makes a subquery of all webhook endpoints, of wallets and of agents: {@link Endpoint} without its secrets,
 * whether it is enabled (`isLive`), and its owner's settings.
 */
export function allEndpoints(db: Builder) {
  const webhook = webhooks(db)
  const ofWallets = db
    .select({
      id: webhookEndpoints.id,
      kind: kindOf('wallet'),
      wallet: webhookEndpoints.wallet,
      url: webhookEndpoints.url,
      isLive: sql<boolean>`${webhookEndpoints.disabledAt} is null`.as('is_live'),
      description: webhookEndpoints.description,
      eventTypes: webhookEndpoints.eventTypes,
      agentIds: webhookEndpoints.agentIds,
      createdAt: webhookEndpoints.createdAt,
      disabledAt: webhookEndpoints.disabledAt,
      disabledReason: webhookEndpoints.disabledReason,
    })
    .from(webhookEndpoints)
  const ofAgents = db
    .select({
      id: webhook.agentId,
      kind: kindOf('agent'),
      wallet: webhook.wallet,
      url: webhook.url,
      isLive: sql<boolean>`${webhook.disabledAt} is null`.as('is_live'),
      description: sql<string | null>`null::text`.as('description'),
      eventTypes: listOf<EventType>('event_types', NONE),
      agentIds: sql<string[]>`array[${webhook.agentId}]`.as('agent_ids'),
      createdAt: webhook.createdAt,
      disabledAt: webhook.disabledAt,
      disabledReason: webhook.disabledReason,
    })
    .from(webhook)
  return ofWallets.unionAll(ofAgents).as('endpoint')
}

const NONE = sql`'{}'`

const kindOf = (kind: WebhookEndpointKind) =>
  sql<WebhookEndpointKind>`${sql.raw(`'${kind}'`)}::text`.as('kind')

const listOf = <T>(name: string, list: SQL) => sql<T[]>`(${list})::text[]`.as(name)
