-- Enqueues a probe of a priced route that an agent's owner asks for, at once. A route that was never paid
-- for needs bought credit, because the probe goes to a host that only the owner has named. An owner may ask
-- `_probes_per_hour` times an hour. A listed route stays listed meanwhile.
-- due: looks at once
-- outcome: enqueued | agent_not_found | agent_not_active | no_endpoint | price_not_found | route_hidden | no_credit | asked_too_often
create function request_resource_probe(_session_wallet text, _session_generation integer,
	_agent_id uuid, _owner text, _price_name text, _owner_hash text, _probes_per_hour integer, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	_has_credit boolean;
	resource request_resources;
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into agent from agents where id = _agent_id and pubkey = _owner for no key update;
	-- Serializes with payments, which make routes, too.
	perform from credits where owner = _owner for update;
	_has_credit := found;
	select * into resource from request_resources where agent_id = _agent_id and price_name = _price_name for update;
	outcome := case
		when agent.id is null then 'agent_not_found'
		when agent.status <> 'active' then 'agent_not_active'
		when not exists (
			select from request_prices where agent_id = _agent_id and name = _price_name and ended_at is null) then 'price_not_found'
		when price_url(_price_name, agent.api_endpoint) is null then 'no_endpoint'
		when resource.is_hidden then 'route_hidden'
		when resource.paid_at is null and not _has_credit then 'no_credit' end;
	if outcome is null then
		outcome := case when count_by_address(_owner_hash, 'hour', _probes_per_hour, _now) then 'enqueued'
			else 'asked_too_often' end;
	end if;
	if outcome = 'enqueued' and resource.agent_id is null then
		perform enqueue_resource(_agent_id, _price_name, 0, null, _now, _now);
	elsif outcome = 'enqueued' then
		update request_resources set begun = 0, next_probe_at = _now,
			state = case when state = 'listed' then state else 'pending' end,
			code = case when state = 'listed' then code end
		where agent_id = _agent_id and price_name = _price_name and (lease is null or next_probe_at <= _now);
	end if;
	return next;
end $$;
