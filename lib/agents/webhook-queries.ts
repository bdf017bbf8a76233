import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { Builder } from '../db/builder.ts'

/** The webhooks of agents: whose, at which URL, and since when disabled. */
export const webhooks = (db: Builder) =>
  db
    .select({
      agentId: agents.id,
      wallet: agents.pubkey,
      url: sql<string>`${agents.webhookUrl}`.as('url'),
      disabledAt: agents.webhookDisabledAt,
      createdAt: agents.registeredAt,
    })
    .from(agents)
    .where(isNotNull(agents.webhookUrl))
    .as('webhook')

/**
 * The CTE `disabled`: disables an agent's webhook when its endpoint is gone, or has failed since before
 * `deadline`, unless the owner has set it anew since `leasedAt`, or since the deadline.
 */
export const disableWebhook = (
  db: Builder,
  webhook: { id: SQLWrapper; url: SQLWrapper; leasedAt: SQLWrapper; now: SQLWrapper },
  why: { isGone: SQL; isFailing: SQL; deadline: SQLWrapper },
) => {
  const setAt = sql`coalesce(${agents.webhookSetAt}, ${agents.registeredAt})`
  return db.$with('disabled').as(
    db
      .update(agents)
      .set({ webhookDisabledAt: sql`${webhook.now}` })
      .where(
        and(
          eq(agents.id, webhook.id),
          eq(agents.webhookUrl, webhook.url),
          isNull(agents.webhookDisabledAt),
          sql`${setAt} <= ${webhook.leasedAt}`,
          sql`(${why.isGone} or (${why.isFailing} and ${setAt} <= ${why.deadline}))`,
        ),
      )
      .returning({
        id: agents.id,
        wallet: agents.pubkey,
        url: sql<string>`${agents.webhookUrl}`.as('url'),
        reason: sql<string>`case when ${why.isGone} then 'gone' else 'failing' end`.as('reason'),
      }),
  )
}
