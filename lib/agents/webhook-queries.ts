import { type SQL, sql } from 'drizzle-orm'

/** The webhooks of agents as a subquery: the agent's `id`, its `url`, and whether it is `live`, not disabled by a 410. */
export const webhooks: SQL = sql`(
  select id, webhook_url as url, webhook_disabled_at is null as live from agents where webhook_url is not null)`

/** The body of a CTE that disables an agent's webhook `when`, unless the owner has set it anew since `claimedAt`. */
export const disableWebhook = (
  webhook: { agentId: string; url: string; claimedAt: Date },
  now: Date,
  when: SQL,
): SQL => sql`
  update agents set webhook_disabled_at = ${now.toISOString()}::timestamptz
  where id = ${webhook.agentId}::uuid and webhook_url = ${webhook.url} and webhook_disabled_at is null
    and coalesce(webhook_set_at, registered_at) <= ${webhook.claimedAt.toISOString()}::timestamptz and ${when}
  returning id`
