-- Records the results of a host's batch, and pauses the host until `_free_at`. Does nothing if the lease has
-- ended and another run has leased the endpoints. Endpoints that were due at `_leased_at` and are left wait
-- for the next scheduled run (`_next_scheduled_run`). Endpoints that became due later, or that an
-- unfinished batch had leased, wait only for `_free_at`.
-- optional: slow_until
-- due: looks at a scheduled run, or when the host is free (its job run answers)
create function record_probes(_host text, _lease uuid, _states json, _is_slow boolean, _slow_until timestamptz,
	_free_at timestamptz, _leased_at timestamptz, _next_scheduled_run timestamptz)
returns table (recorded integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_recorded integer;
begin
	-- Uses the index of due endpoints of a host, which includes leased ones. Locks endpoints in the order
	-- of the triggers of agents and registry entries, then the host.
	perform from agent_endpoints
	where host = _host and next_probe_at is not null and lease = _lease
	order by url_hash, protocol for update;
	if not found then
		return query select 0;
		return;
	end if;
	update agent_endpoints set lease = null, begun = 0, status = state.status, checked_at = state.checked_at,
		latency_ms = state.latency_ms, is_auth_required = state.is_auth_required, card_status = state.card_status,
		card = state.card, etag = state.etag, identifier = state.identifier, identifies = state.identifies,
		manifest_etag = state.manifest_etag, failing_since = state.failing_since, failures = state.failures,
		counted_day = state.counted_day, day_checks = state.day_checks, day_successes = state.day_successes,
		uptime_30d = state.uptime_30d, robots_read_at = state.robots_read_at, is_opted_out = state.is_opted_out,
		next_probe_at = state.next_probe_at
	from json_populate_recordset(null::agent_endpoints, _states) as state
	where agent_endpoints.url_hash = state.url_hash and agent_endpoints.protocol = state.protocol
		and agent_endpoints.host = _host and agent_endpoints.lease = _lease;
	get diagnostics _recorded = row_count;
	if _recorded = 0 then
		return query select 0;
		return;
	end if;

	-- Endpoints enqueued before this lock are visible below; later ones make the host due again.
	perform from probed_hosts where host = _host for update;
	update probed_hosts set slow_until = _slow_until, free_at = _free_at,
		queue = case when exists (
				select from agent_endpoints where agent_endpoints.host = _host and status = 'live' and next_probe_at is not null)
			then 'live' else 'dead' end || case when _is_slow then '_slow' else '' end,
		next_turn_at = (
			select least(
				case when exists (select from agent_endpoints
					where agent_endpoints.host = _host and next_probe_at <= _leased_at and lease is null) then greatest(_free_at, _next_scheduled_run) end,
				(select case when min(next_probe_at) is not null then greatest(_free_at, min(next_probe_at)) end
					from agent_endpoints
					where agent_endpoints.host = _host and (next_probe_at > _leased_at or lease is not null))))
	where host = _host;
	return query select _recorded;
end $$;
