import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { disabledReasons } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import type { EventType } from '../wire/event-types/table.ts'
import { agents } from './agents.ts'
import { instant } from './columns.ts'

/** The secrets of an endpoint, which sign its webhooks. */
const secretColumns = () => ({
  /** Encrypted under a key that is not in the database: lib/events/secrets/secrets.ts. */
  secret: text().notNull(),
  /** The secret before the last rotation. It signs, too, until a given time. */
  previousSecret: text('previous_secret'),
  previousSecretEndsAt: instant('previous_secret_ends_at'),
})

/**
 * The webhook endpoints of wallets: where their events are sent. The webhook of an agent is a webhook
 * endpoint, too. It is in `agents`, and the agent's id is its id.
 */
export const webhookEndpoints = pgTable(
  'endpoints',
  {
    id: uuid().primaryKey(),
    wallet: text().$type<Wallet>().notNull(),
    url: text().notNull(),
    description: text(),
    /** Empty for events of all types. */
    eventTypes: text('event_types').array().$type<EventType[]>().notNull(),
    /** Empty for all events of the wallet's log; otherwise ids of the wallet's own agents. */
    agentIds: uuid('agent_ids').array().notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * When its owner last set its URL or enabled it. A 410 to an earlier attempt has no effect.
     */
    setAt: instant('set_at').notNull(),
    /** Since when it receives nothing. */
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    ...secretColumns(),
  },
  (t) => [
    index('endpoints_by_wallet').on(t.wallet, t.id),
    // For re-encryption after a change of the key.
    index('endpoints_by_key').on(sql`split_part(${t.secret}, ':', 1)`, t.id),
    index('endpoints_by_previous_key')
      .on(sql`split_part(${t.previousSecret}, ':', 1)`, t.id)
      .where(sql`${t.previousSecret} is not null`),
    index('endpoints_rotated').on(t.previousSecretEndsAt).where(sql`${t.previousSecretEndsAt} is not null`),
    check('endpoints_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
)

/**
 * The secrets of agents' webhooks. They are not in `agents`, so that only the jobs Worker's role can read
 * them. An agent without a row has no secret; then only the service's key signs its webhooks.
 */
export const agentWebhookSecrets = pgTable(
  'agent_webhook_secrets',
  {
    agentId: uuid('agent_id')
      .primaryKey()
      .references(() => agents.id),
    ...secretColumns(),
  },
  (t) => [
    index('agent_webhook_secrets_by_key').on(sql`split_part(${t.secret}, ':', 1)`, t.agentId),
    index('agent_webhook_secrets_by_previous_key')
      .on(sql`split_part(${t.previousSecret}, ':', 1)`, t.agentId)
      .where(sql`${t.previousSecret} is not null`),
    index('agent_webhook_secrets_rotated')
      .on(t.previousSecretEndsAt)
      .where(sql`${t.previousSecretEndsAt} is not null`),
  ],
)
