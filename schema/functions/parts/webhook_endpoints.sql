-- Returns all webhook endpoints: of wallets, and the webhooks of agents by their agents' ids (allEndpoints
-- of lib/events/all-endpoint-queries.ts). Secrets are encrypted. An agent's webhook may have none.
create function webhook_endpoints()
returns table (id uuid, kind text, wallet text, url text, url_hash text, is_live boolean, secret text,
	previous_secret text, previous_secret_ends_at timestamptz)
language sql stable as $$
	select id, 'wallet', wallet, url, url_hash(url), disabled_at is null, secret, previous_secret, previous_secret_ends_at
	from endpoints
	union all
	select id, 'agent', pubkey, webhook_url, url_hash(webhook_url), webhook_disabled_at is null, secret, previous_secret,
		previous_secret_ends_at
	from agents left join agent_webhook_secrets on agent_id = agents.id where webhook_url is not null
$$;
