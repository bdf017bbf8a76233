-- Changes columns of a webhook endpoint that the wallet has made, by name (null clears one), and enables or
-- pauses it. If it is enabled or its URL is set again, its waiting deliveries are due at once. Another URL
-- inherits nothing: waiting deliveries are given up. `unowned` has the new agents that the wallet does not
-- own. Each call counts per client address and hour, since it may create a destination and make thousands
-- of deliveries due.
-- outcome: changed | agents_not_owned | endpoint_of_agent | endpoint_not_found | address_too_often
-- optional: enabled
create function change_webhook_endpoint(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _changes json, _enabled boolean, _address_hash text,
	_changes_per_address integer, _now timestamptz)
returns table (outcome text, unowned uuid[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint endpoints := json_populate_record(null::endpoints, _changes);
	_unowned uuid[] := not_agents_of(_wallet, endpoint.agent_ids);
	_url_before text;
begin
	perform assert_session(_session_wallet, _session_generation);
	if _unowned <> '{}' then
		return query select 'agents_not_owned', _unowned;
		return;
	end if;
	if _changes::jsonb ? 'url' then
		perform lock_waiting(_id, _wallet);
	end if;
	select * into endpoint from endpoints where id = _id and wallet = _wallet for no key update;
	if not found then
		return query select case when exists (
			select from webhook_endpoints() as candidate where candidate.id = _id and candidate.wallet = _wallet)
			then 'endpoint_of_agent' else 'endpoint_not_found' end, _unowned;
		return;
	end if;
	if not count_call(_wallet, _address_hash, _changes_per_address, _now) then
		return query select 'address_too_often', _unowned;
		return;
	end if;
	_url_before := endpoint.url;
	endpoint := json_populate_record(endpoint, _changes);
	if _enabled then
		endpoint.disabled_at := null;
		endpoint.disabled_reason := null;
	elsif not _enabled then
		endpoint.disabled_at := coalesce(endpoint.disabled_at, _now);
		endpoint.disabled_reason := 'paused';
	end if;
	if _enabled or _changes::jsonb ? 'url' then
		endpoint.set_at := _now;
		perform url_was_set(_id, _wallet, _url_before, endpoint.url, _now);
	end if;
	update endpoints set url = endpoint.url, description = endpoint.description, event_types = endpoint.event_types,
		agent_ids = endpoint.agent_ids, set_at = endpoint.set_at, disabled_at = endpoint.disabled_at,
		disabled_reason = endpoint.disabled_reason
	where id = _id;
	return query select 'changed', _unowned;
end $$;
