import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { disabledReasons } from '../values.ts'
import type { Wallet } from '../wallet.ts'
import type { EventType } from '../wire/event-types/table.ts'
import { agents } from './agents.ts'
import { instant } from './columns.ts'

/** The secrets of an endpoint: they sign what it is sent. */
const secretColumns = () => ({
  /** Encrypted under a key that the database does not hold: lib/events/secrets/secrets.ts. */
  secret: text().notNull(),
  /** The one before the last rotation, which signs beside it until a time. */
  previousSecret: text('previous_secret'),
  previousSecretEndsAt: instant('previous_secret_ends_at'),
})

/**
 * Where wallets want their events sent. The webhook of an agent is a webhook endpoint, too: it stands in
 * `agents`, and the agent's id is its id.
 */
export const webhookEndpoints = pgTable(
  'endpoints',
  {
    id: uuid().primaryKey(),
    wallet: text().$type<Wallet>().notNull(),
    url: text().notNull(),
    description: text(),
    /** Empty: events of every type. */
    eventTypes: text('event_types').array().$type<EventType[]>().notNull(),
    /** Empty: all events of the wallet's log; otherwise the events of these agents of its own. */
    agentIds: uuid('agent_ids').array().notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * When its owner last set its URL or enabled it: a 410 to an earlier attempt means nothing any more.
     */
    setAt: instant('set_at').notNull(),
    /** Since when nothing is sent to it. */
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason', { enum: disabledReasons }),
    ...secretColumns(),
  },
  (t) => [
    index('endpoints_by_wallet').on(t.wallet, t.id),
    // For the change of the key that they are sealed under.
    index('endpoints_by_key').on(sql`split_part(${t.secret}, ':', 1)`, t.id),
    index('endpoints_by_previous_key')
      .on(sql`split_part(${t.previousSecret}, ':', 1)`, t.id)
      .where(sql`${t.previousSecret} is not null`),
    index('endpoints_rotated').on(t.previousSecretEndsAt).where(sql`${t.previousSecretEndsAt} is not null`),
    check('endpoints_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
)

/**
 * The secrets of agents' webhooks. Apart from `agents`, so that only the jobs Worker's role reads them. An
 * agent without a row has no secret: the service's key alone signs what it is sent.
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
