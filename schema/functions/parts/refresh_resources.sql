-- Brings an agent's priced routes up to date after a change of its status, endpoint (`_has_moved`), prices
-- or hidden routes. A route is not in the catalog while its price has ended, its owner hides it, or the
-- agent is not active. Once it may be there again, or after a move, it waits for a probe: an hour after its
-- last one, or a minute after a move. A probe in progress is discarded. `probe_at` is the first of these
-- probes. The caller has locked the agent.
create function refresh_resources(_agent_id uuid, _has_moved boolean, _now timestamptz,
	out is_catalog_changed boolean, out probe_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
	probe_pause constant interval := interval '1 hour'; -- RESOURCE_PAUSE_MS of lib/x402/rules.ts
	probe_after constant interval := interval '1 minute'; -- FIRST_PROBE_AFTER_MS of lib/liveness/first-probe.ts
	agent agents;
begin
	perform from request_resources where agent_id = _agent_id order by price_name for update;
	if not found then
		is_catalog_changed := false;
		return;
	end if;
	select * into agent from agents where id = _agent_id;
	with changed as (
		select price_name as changed_name, state = 'listed' as was_listed, blocked_by,
			case when blocked_by is null then
				case when _has_moved then _now + probe_after
				else greatest(_now, checked_at + probe_pause) end
			end as due_at
		from request_resources, lateral (select case
			when not exists (
				select from request_prices
				where request_prices.agent_id = _agent_id and name = price_name and ended_at is null) then 'price_ended'
			when is_hidden then 'hidden'
			when agent.status <> 'active' then 'not_active'
			when price_url(price_name, agent.api_endpoint) is null then 'no_endpoint' end as blocked_by) as present
		where agent_id = _agent_id and (blocked_by is distinct from code and blocked_by is not null
			or blocked_by is null and (_has_moved or code in ('price_ended', 'hidden', 'not_active')))),
	updated as (
		update request_resources set state = case when blocked_by is null then 'pending' else 'rejected' end,
			code = blocked_by, document = null, lease = null, begun = 0, failures = 0, next_probe_at = due_at,
			url = case when not _has_moved then url end,
			checked_at = case when not _has_moved then checked_at end,
			changed_at = case when was_listed then _now else changed_at end
		from changed where agent_id = _agent_id and price_name = changed_name
		returning was_listed, due_at)
	select coalesce(bool_or(was_listed), false), min(due_at) into is_catalog_changed, probe_at from updated;
end $$;
