-- Records 2xx answers of healthy webhook endpoints, each once, and marks deliveries whose lease still holds
-- as delivered. Ends a destination's time of failure. If its last attempt was noted before `_noted_before`,
-- it is noted again.
create function record_delivered(_delivered json, _lease uuid, _leased_at timestamptz, _noted_before timestamptz)
returns table (taken integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_taken integer;
begin
	update deliveries set status = 'delivered', attempts = deliveries.attempts + 1, lease = null,
		next_attempt_at = null, last_attempt_at = _leased_at, last_response_code = response_code, last_failure = null
	from json_populate_recordset(null::delivery_attempts, _delivered) as result
	where deliveries.endpoint_id = result.endpoint_id and deliveries.event_id = result.event_id and lease = _lease;
	get diagnostics _taken = row_count;

	insert into delivery_attempts (endpoint_id, event_id, attempted_at, response_code, duration_ms)
	select endpoint_id, event_id, _leased_at, response_code, duration_ms
	from json_populate_recordset(null::delivery_attempts, _delivered)
	on conflict do nothing;

	-- Most destinations have nothing to note and are not locked. Skips a destination that another
	-- transaction has locked: that one notes something newer.
	update webhook_targets set failing_since = null, last_attempt_at = _leased_at
	where (wallet, url_hash) in (
		select target.wallet, target.url_hash
		from webhook_endpoints() as hook
		join webhook_targets as target on target.wallet = hook.wallet and target.url_hash = hook.url_hash
		where hook.id = any (array(select endpoint_id from json_populate_recordset(null::delivery_attempts, _delivered)))
			and (failing_since is not null or last_attempt_at < _noted_before)
		for update of target skip locked);
	return query select _taken;
end $$;
