-- Records the results of attempts at one webhook endpoint, each once, and the state of the deliveries whose
-- lease still holds. A lease ends by time or by a replay. An answer still changes the destination and the
-- endpoint then; otherwise a replay would avoid that. `_is_trusted`: a 2xx proves the destination. A
-- destination is healthy if it is proven and all answers were prompt 2xx. It fails from the first run
-- without a 2xx. Disables an endpoint that is gone or has failed since before `_failing_before`, unless its
-- owner has set it again since. `nudges`: the endpoints with due deliveries, such as the
-- `endpoint.disabled` event, or deliveries that waited for a 2xx. `next_at`: the time of the endpoint's
-- next delivery. `is_awaited`: whether the database is woken for it (is_worth_waking).
-- due: deliveries at next_at, or with the next scheduled run if it is not awaited
-- optional: held_until
-- nullable: next_at
create function record_attempts(_endpoint_id uuid, _kind text, _wallet text, _url text, _url_hash text,
	_lease uuid, _leased_at timestamptz, _attempts json, _is_gone boolean, _succeeded integer,
	_is_prompt boolean, _held_until timestamptz, _is_released boolean,
	_is_trusted boolean, _failing_before timestamptz, _day timestamptz, _fresh_since timestamptz, _soon timestamptz,
	_failing_since timestamptz, _awaited_per_target integer, _awaited_in_all integer,
	_awaited_of_dead integer, _now timestamptz)
returns table (nudges text[], next_at timestamptz, is_awaited boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	target webhook_targets;
	_reason text;
	_nudges text[] := '{}';
	_next_at timestamptz;
	_is_awaited boolean;
begin
	-- Locked in this order: deliveries, their destination, the endpoint.
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
		return query select _nudges, null::timestamptz, false;
		return;
	end if;

	update webhook_targets set
		proven_at = coalesce(proven_at, case when _succeeded > 0 and _is_trusted then _now end),
		is_healthy = _is_prompt and proven_at is not null and not _is_trusted,
		failing_since = case when _succeeded = 0 then coalesce(failing_since, _now) end,
		-- A concurrent run may have reserved tokens for that time.
		held_until = greatest(_held_until, case when reserved > 0 then held_until end),
		last_attempt_at = _leased_at
	where wallet = _wallet and url_hash = _url_hash
	returning * into target;

	_reason := case when _is_gone then 'gone' when target.failing_since <= _failing_before then 'failing' end;
	if _reason is not null then
		_nudges := disable_endpoint(_endpoint_id, _kind, _wallet, _url, _reason,
			case when _is_gone then _leased_at else least(_leased_at, _failing_before) end, _now);
	end if;

	if _is_released then
		_nudges := _nudges || due_endpoints(_wallet, _url, _now);
	end if;

	select greatest(first.next_attempt_at, target.held_until) into _next_at
	from webhook_endpoints() as hook, lateral (
		select next_attempt_at from deliveries
		where endpoint_id = _endpoint_id and status = 'pending' order by next_attempt_at limit 1) as first
	where hook.id = _endpoint_id and is_live and hook.url_hash = _url_hash;
	-- After only 2xx answers the decision of an earlier failed attempt stays.
	_is_awaited := target.is_awaited and target.proven_at is not null and _succeeded = json_array_length(_attempts);
	if _next_at > _now and not _is_awaited then
		_is_awaited := is_worth_waking(target, _next_at, exists (
			select from deliveries, json_to_recordset(_attempts) as result (event_id uuid)
			where endpoint_id = _endpoint_id and deliveries.event_id = result.event_id and created_at > _fresh_since),
			_soon, _failing_since, _day, _awaited_per_target, _awaited_in_all, _awaited_of_dead);
	end if;
	update webhook_targets set is_awaited = _is_awaited
	where wallet = _wallet and url_hash = _url_hash and webhook_targets.is_awaited <> _is_awaited;
	return query select _nudges, _next_at, _is_awaited;
end $$;
