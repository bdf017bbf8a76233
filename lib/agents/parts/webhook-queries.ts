import { isNotNull, sql } from 'drizzle-orm'
import { agents } from '../../../schema/tables/agents.ts'
import type { Builder } from '../../db/builder.ts'

/** The webhooks of agents: whose, at which URL, and since when and why disabled. */
export const webhooks = (db: Builder) =>
  db
    .select({
      agentId: agents.id,
      wallet: agents.pubkey,
      url: sql<string>`${agents.webhookUrl}`.as('url'),
      disabledAt: agents.webhookDisabledAt,
      disabledReason: agents.webhookDisabledReason,
      createdAt: agents.registeredAt,
    })
    .from(agents)
    .where(isNotNull(agents.webhookUrl))
    .as('webhook')
