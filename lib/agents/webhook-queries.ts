import { and, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { agents } from '../../schema/tables/agents.ts'
import type { Db } from '../db/connect.ts'

/**
 * Makes a subquery of the webhooks of agents: whose, at which URL, and whether `live`, not disabled by a 410.
 */
export const webhooks = (db: Db) =>
  db
    .select({
      agentId: agents.id,
      url: sql<string>`${agents.webhookUrl}`.as('url'),
      live: sql<boolean>`${agents.webhookDisabledAt} is null`.as('live'),
    })
    .from(agents)
    .where(isNotNull(agents.webhookUrl))
    .as('hook')

/**
 * The CTE `disabled`: disables an agent's webhook `when`, unless the owner has set it anew since `leasedAt`.
 */
export const disableWebhook = (
  db: Db,
  webhook: { agentId: SQLWrapper; url: SQLWrapper; leasedAt: SQLWrapper; now: SQLWrapper; when: SQL },
) =>
  db.$with('disabled').as(
    db
      .update(agents)
      .set({ webhookDisabledAt: sql`${webhook.now}` })
      .where(
        and(
          eq(agents.id, webhook.agentId),
          eq(agents.webhookUrl, webhook.url),
          isNull(agents.webhookDisabledAt),
          sql`coalesce(${agents.webhookSetAt}, ${agents.registeredAt}) <= ${webhook.leasedAt}`,
          webhook.when,
        ),
      )
      .returning({ id: agents.id }),
  )
