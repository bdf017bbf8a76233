import { and, desc, eq, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { endpoints } from '../../../schema/tables/endpoints.ts'
import { webhookTargets } from '../../../schema/tables/webhook-targets.ts'
import type { EndpointKind } from '../../../schema/values.ts'
import type { Wallet } from '../../../schema/wallet.ts'
import { webhooks } from '../../agents/parts/webhook-queries.ts'
import type { Builder } from '../../db/builder.ts'
import type { Db } from '../../db/connect.ts'
import { optional, read } from '../../db/statement.ts'
import { hooks } from '../hook-queries.ts'
import { isTargetOf } from '../target-queries.ts'

/** The columns of an endpoint that its owner sees: no secret among them. */
export const ownColumns = {
  id: endpoints.id,
  wallet: endpoints.wallet,
  url: endpoints.url,
  description: endpoints.description,
  eventTypes: endpoints.eventTypes,
  agentIds: endpoints.agentIds,
  createdAt: endpoints.createdAt,
  disabledAt: endpoints.disabledAt,
  disabledReason: endpoints.disabledReason,
}

/** What is known of an endpoint's URL. The first is never null where anything is, which the join asks. */
export const targetColumns = {
  lastAttemptAt: webhookTargets.lastAttemptAt,
  provenAt: webhookTargets.provenAt,
  failingSince: webhookTargets.failingSince,
}

/** An endpoint as its owner sees it: what was set, and what is known of its URL. */
export type EndpointRow = Pick<typeof endpoints.$inferSelect, keyof typeof ownColumns> & {
  kind: EndpointKind
  target: Pick<typeof webhookTargets.$inferSelect, keyof typeof targetColumns> | null
}

const rowColumns = (hook: ReturnType<typeof hooks>) => ({
  id: hook.id,
  kind: hook.kind,
  wallet: hook.wallet,
  url: hook.url,
  description: hook.description,
  eventTypes: hook.eventTypes,
  agentIds: hook.agentIds,
  createdAt: hook.createdAt,
  disabledAt: hook.disabledAt,
  disabledReason: hook.disabledReason,
  target: targetColumns,
})

const endpointPage = read(
  { wallet: endpoints.wallet, before: optional(endpoints.id), now: 'timestamptz', limit: 'integer' },
  (db, $, shape: { isContinued: boolean }) => {
    const hook = hooks(db, $.now)
    return db
      .select(rowColumns(hook))
      .from(hook)
      .leftJoin(webhookTargets, isTargetOf(hook))
      .where(and(eq(hook.wallet, $.wallet), shape.isContinued ? lt(hook.id, $.before) : undefined))
      .orderBy(desc(hook.id))
      .limit($.limit)
  },
)

/** Reads up to `limit` of the wallet's endpoints, the newest first, after one of them. */
export const selectEndpoints = (
  db: Db,
  page: { wallet: Wallet; before: string | undefined; now: Date; limit: number },
): Promise<EndpointRow[]> => endpointPage.run(db, page, { isContinued: page.before !== undefined })

const endpointById = read({ id: 'uuid', wallet: endpoints.wallet, now: 'timestamptz' }, (db, $) => {
  const hook = hooks(db, $.now)
  return db
    .select(rowColumns(hook))
    .from(hook)
    .leftJoin(webhookTargets, isTargetOf(hook))
    .where(and(eq(hook.id, $.id), eq(hook.wallet, $.wallet)))
})

/** Finds an endpoint of the wallet. */
export async function findEndpoint(
  db: Db,
  endpoint: { id: string; wallet: Wallet; now: Date },
): Promise<EndpointRow | undefined> {
  const [row] = await endpointById.run(db, endpoint)
  return row
}

/** Whether an endpoint of this id is the webhook of an agent of the wallet. */
export const isOwnWebhook = (
  db: Builder,
  { id, wallet }: { id: SQLWrapper; wallet: SQLWrapper },
): SQL<boolean> => {
  const webhook = webhooks(db)
  return sql<boolean>`exists (select from ${webhook}
    where ${webhook.agentId} = ${id} and ${webhook.wallet} = ${wallet})`
}
