-- Records the results of attempts at one webhook endpoint, each once, and the state of their
-- deliveries, unless the lease of these was lost meanwhile: by time, or to a replay. An answer counts
-- whether or not the lease still holds: the changes of the target, its host and the endpoint do not
-- depend on it, or a replay would spare them. `_is_trusted`: a 2xx proves the target. It is healthy
-- when it is proven and all answers were 2xx and came soon, and failing from the first run without any.
-- Disables the endpoint if it is gone, or has failed since before `_failing_before`, unless its owner
-- has set it anew since. `nudges`: the endpoints that deliveries are due to now, be it the
-- `endpoint.disabled` event, or deliveries that have waited for the target's 2xx.
-- optional: held_until
create function record_attempts(_endpoint_id uuid, _kind text, _wallet text, _url text, _url_hash text, _host text,
	_minute timestamptz, _lease uuid, _leased_at timestamptz, _attempts json, _is_gone boolean, _succeeded integer,
	_is_prompt boolean, _slot_change integer, _held_until timestamptz, _is_released boolean,
	_is_trusted boolean, _failing_before timestamptz, _now timestamptz)
returns table (nudges text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	target webhook_targets;
	_reason text;
	_nudges text[] := '{}';
begin
	-- Locked in this order: deliveries, their target, its host, the endpoint.
	update deliveries set status = result.status, attempts = deliveries.attempts + 1, lease = null,
		next_attempt_at = result.next_attempt_at, last_attempt_at = _leased_at,
		last_response_code = response_code, last_failure = failure
	from json_to_recordset(_attempts) as result (
		event_id uuid, status text, next_attempt_at timestamptz, response_code integer, failure text)
	where endpoint_id = _endpoint_id and deliveries.event_id = result.event_id and lease = _lease;

	insert into delivery_attempts (endpoint_id, event_id, attempted_at, response_code, failure, duration_ms)
	select _endpoint_id, event_id, _leased_at, response_code, failure, duration_ms
	from json_populate_recordset(null::delivery_attempts, _attempts)
	on conflict do nothing;
	if not found then
		return query select _nudges;
		return;
	end if;

	update webhook_targets set
		proven_at = coalesce(proven_at, case when _succeeded > 0 and _is_trusted then _now end),
		is_healthy = _is_prompt and proven_at is not null and not _is_trusted,
		failing_since = case when _succeeded = 0 then coalesce(failing_since, _now) end,
		held_until = _held_until,
		last_attempt_at = _leased_at
	where wallet = _wallet and url_hash = _url_hash
	returning * into target;
	perform settle_slots(_host, _minute, _slot_change);

	_reason := case when _is_gone then 'gone' when target.failing_since <= _failing_before then 'failing' end;
	if _reason is not null then
		_nudges := disable_endpoint(_endpoint_id, _kind, _wallet, _url, _reason,
			case when _is_gone then _leased_at else least(_leased_at, _failing_before) end, _now);
	end if;

	if _is_released then
		_nudges := _nudges || due_endpoints(_wallet, _url, _now);
	end if;
	return query select _nudges;
end $$;
