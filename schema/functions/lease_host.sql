-- Leases the host of a queue that has waited longest, with up to `_limit` of its due endpoints. Endpoints
-- last seen live come first, because anyone can name others at the same host. Nobody else gets the host
-- until `_lease_end`; without a record by then, it is due again. An endpoint may have killed its batch, so
-- each endpoint of an unfinished batch is then leased alone, after the others of its host. If that is not
-- finished either, it waits a day for each further lease.
-- due: looks when the lease ends (its job run answers)
-- nullable: host, slow_until
create function lease_host(_queue text, _lease uuid, _now timestamptz, _lease_end timestamptz,
	_limit integer)
returns table (host text, slow_until timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	-- A fifth of a batch's probes is for endpoints that are not live, so a host with many also gets new ones
	-- probed.
	_for_live constant integer := _limit - _limit / 5;
	leased probed_hosts;
	_due tid[];
begin
	select * into leased from probed_hosts
	where queue = _queue and next_turn_at <= _now
	order by next_turn_at limit 1 for update skip locked;
	if not found then
		return query select null::text, null::timestamptz;
		return;
	end if;
	update agent_endpoints set lease = null, next_probe_at = _now + make_interval(secs => 86400 * (begun - 1))
	where host = leased.host and begun > 1 and lease is not null and next_probe_at <= _now;
	_due := array(
		select ctid from agent_endpoints
		where host = leased.host and status = 'live' and begun = 0 and next_probe_at <= _now
		order by next_probe_at limit _for_live for update skip locked);
	_due := _due || array(
		select ctid from agent_endpoints
		where host = leased.host and status <> 'live' and begun = 0 and next_probe_at <= _now
		order by next_probe_at limit _limit - cardinality(_due) for update skip locked);
	if cardinality(_due) = 0 then
		_due := array(
			select ctid from agent_endpoints
			where host = leased.host and next_probe_at <= _now
			order by next_probe_at limit 1 for update skip locked);
	end if;
	update agent_endpoints set lease = _lease, begun = begun + 1, next_probe_at = _lease_end where ctid = any (_due);
	-- The endpoints that made the host due may be gone. Then the host waits for its next due endpoint, if
	-- any. An endpoint enqueued from now on waits for the lock of the host, and makes it due again.
	update probed_hosts set free_at = _lease_end, endpoints_next = false, next_turn_at = case when cardinality(_due) > 0 then _lease_end else (
		select case when min(next_probe_at) is not null then greatest(_lease_end, min(next_probe_at)) end
		from agent_endpoints where agent_endpoints.host = leased.host and next_probe_at is not null) end
	where host = leased.host;
	return query select leased.host, leased.slow_until;
end $$;
