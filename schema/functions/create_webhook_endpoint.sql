-- Stores a new, enabled webhook endpoint. It counts toward its wallet's quota (`_limit`), and toward the
-- hourly limit of the client address (`_webhooks_per_address`). Concurrent calls for the last place in the
-- quota all count for the address. `unowned` lists agents in `_endpoint` that the wallet does not own.
-- outcome: created | agents_not_owned | quota_full | address_too_often
create function create_webhook_endpoint(_session_wallet text, _session_generation integer,
	_endpoint json, _limit integer, _address_hash text, _webhooks_per_address integer, _now timestamptz)
returns table (outcome text, unowned uuid[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint endpoints := json_populate_record(null::endpoints, _endpoint);
	_unowned uuid[] := not_agents_of(endpoint.wallet, endpoint.agent_ids);
begin
	perform assert_session(_session_wallet, _session_generation);
	if _unowned <> '{}' then
		return query select 'agents_not_owned', _unowned;
		return;
	end if;
	if exists (select from wallet_quotas where wallet = endpoint.wallet and wallet_quotas.endpoints >= _limit) then
		return query select 'quota_full', _unowned;
		return;
	end if;
	if not count_call(endpoint.wallet, _address_hash, _webhooks_per_address, _now) then
		return query select 'address_too_often', _unowned;
		return;
	end if;
	insert into wallet_quotas (wallet, endpoints) values (endpoint.wallet, 1)
	on conflict (wallet) do update set endpoints = wallet_quotas.endpoints + 1
	where wallet_quotas.endpoints < _limit;
	if not found then
		return query select 'quota_full', _unowned;
		return;
	end if;
	insert into endpoints (id, wallet, url, description, event_types, agent_ids, secret, created_at, set_at)
	values (endpoint.id, endpoint.wallet, endpoint.url, endpoint.description, endpoint.event_types,
		endpoint.agent_ids, endpoint.secret, _now, _now);
	return query select 'created', _unowned;
end $$;
