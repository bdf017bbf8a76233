-- Records the results of a run's attempts at webhook endpoints, each once, and the state of the
-- deliveries whose lease still holds. A lease ends by time or by a replay. An answer still changes the
-- destination and the endpoint then; otherwise a replay would avoid that. `_results`: attempt_results. A
-- shared run (`_is_shared`) leaves a destination healthy whose answers were prompt 2xx, without locking
-- it. Otherwise a destination is healthy if it is proven and all answers were prompt 2xx. It fails from
-- the first run without a 2xx. A 2xx of a trusted host proves the destination. Disables an endpoint that
-- is gone or has failed for too long, unless its owner has set it again since. Returns rows for endpoints
-- that are not healthy. `to_notify`: the endpoints with due deliveries, such as the `endpoint.disabled`
-- event, or deliveries that waited for a 2xx. `next_at`: the time of the endpoint's next delivery.
-- `is_urgent`: whether the database is woken for it (is_worth_waking). `_limits`: lib/events/limits.ts.
-- Columns of webhook_targets: `is_awaited` is urgent, `held_until` is when a pause ends.
-- due: deliveries at next_at, or with the next scheduled run if it is not urgent
-- nullable: next_at
create function record_attempts(_lease uuid, _leased_at timestamptz, _results json, _is_shared boolean,
	_trusted_hosts text[], _limits json, _now timestamptz)
returns table (endpoint_id uuid, to_notify text[], next_at timestamptz, is_urgent boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_recorded uuid[];
	result record;
	destination webhook_targets;
	_is_trusted boolean;
	_was_probed boolean;
	_pause timestamptz;
	_failing_pause constant interval := limit_span(_limits, 'failingPauseMs');
	_failing_before constant timestamptz := _now - limit_span(_limits, 'failingLimitMs');
begin
	-- Locked in this order: deliveries, their destinations by their key, each one's endpoint.
	update deliveries set lease = null,
		status = case step when 'delivered' then 'delivered' when 'given_up' then 'failed' else 'pending' end,
		-- Not before the end of the pause below.
		next_attempt_at = case when step = 'retry' then greatest(each.next_attempt_at,
				_now + longest_pause_ms * interval '1 ms', case when not is_any_answered then _now + _failing_pause end)
			when step not in ('delivered', 'given_up') then _now end,
		attempts = attempts + (step not in ('answered', 'unsent'))::integer,
		last_attempt_at = case when step in ('answered', 'unsent') then last_attempt_at else _leased_at end,
		last_response_code = case when step in ('answered', 'unsent') then last_response_code else response_code end,
		last_failure = case when step in ('answered', 'unsent') then last_failure else failure end
	from (
		select *, max(pause_ms) over (partition by endpoint_id) as longest_pause_ms,
			bool_or(step in ('delivered', 'answered')) over (partition by endpoint_id) as is_any_answered
		from attempt_results(_results)) as each
	where deliveries.endpoint_id = each.endpoint_id and deliveries.event_id = each.event_id and lease = _lease
		and step <> 'unanswered';

	with recorded as (
		insert into delivery_attempts (endpoint_id, event_id, attempted_at, response_code, failure, duration_ms)
		select endpoint_id, event_id, _leased_at, response_code, failure, duration_ms from attempt_results(_results)
		where step in ('delivered', 'retry', 'gone', 'given_up')
		on conflict do nothing returning endpoint_id)
	select array_agg(endpoint_id) into _recorded from recorded;

	for result in
		select endpoint_id, kind, wallet, url, url_hash(url) as url_hash, array_agg(event_id) as event_ids,
			bool_and(is_prompt) as is_prompt, bool_or(step in ('delivered', 'answered')) as is_answered,
			bool_and(step in ('delivered', 'answered')) as is_all_answered, max(pause_ms) as pause_ms,
			bool_or(step = 'gone') as is_gone, bool_or(step = 'answered') as is_request, max(unconfirmed_reason) as reason,
			bool_or(step = 'unanswered') as is_unanswered
		from attempt_results(_results)
		where endpoint_id = any (_recorded) or step in ('answered', 'unanswered')
		group by endpoint_id, kind, wallet, url order by wallet, url_hash
	loop
		if result.is_unanswered or _is_shared and result.is_prompt then
			-- Most destinations have nothing to note and are not locked. Skips a destination that another
			-- transaction has locked: that one notes something newer.
			update webhook_targets set is_healthy = is_healthy and not result.is_unanswered,
				failing_since = case when result.is_unanswered then failing_since end,
				last_attempt_at = case when result.is_unanswered then last_attempt_at else _leased_at end
			where (wallet, url_hash) in (
				select wallet, url_hash from webhook_targets
				where wallet = result.wallet and url_hash = result.url_hash and (result.is_unanswered
					or failing_since is not null or last_attempt_at < _now - limit_span(_limits, 'notedEveryMs'))
				for update skip locked);
			continue;
		end if;

		select * into destination from webhook_targets
		where wallet = result.wallet and url_hash = result.url_hash for update;
		_is_trusted := destination.host = any (_trusted_hosts);
		_was_probed := destination.proven_at is null or destination.failing_since is not null;
		_pause := case
			when not result.is_answered then greatest(
				_now + greatest(result.pause_ms * interval '1 ms', _failing_pause),
				-- The lease of a new destination has set the pause after its request.
				case when destination.proven_at is null and (destination.answered_at is null or _is_trusted) then destination.held_until end)
			when result.pause_ms > 0 then _now + result.pause_ms * interval '1 ms' end;
		if result.is_request then
			destination.answered_at := coalesce(destination.answered_at, _leased_at);
			destination.unconfirmed_reason := result.reason;
		end if;
		if result.is_answered and (_is_trusted or result.is_request and result.reason is null) then
			destination.proven_at := coalesce(destination.proven_at, _now);
		end if;
		destination.is_healthy := result.is_prompt and destination.proven_at is not null and not _is_trusted;
		destination.failing_since := case when not result.is_answered then coalesce(destination.failing_since, _now) end;
		-- A concurrent run may have reserved tokens for that time.
		destination.held_until := greatest(_pause, case when destination.reserved > 0 then destination.held_until end);

		endpoint_id := result.endpoint_id;
		to_notify := '{}';
		if result.is_gone or destination.failing_since <= _failing_before then
			to_notify := disable_endpoint(result.endpoint_id, result.kind, result.wallet, result.url,
				case when result.is_gone then 'gone' else 'failing' end,
				case when result.is_gone then _leased_at else least(_leased_at, _failing_before) end, _now);
		end if;
		if _was_probed and result.is_answered and _pause is null then
			to_notify := to_notify || due_endpoints(result.wallet, result.url, _now);
		end if;

		next_at := (
			select greatest(first.next_attempt_at, destination.held_until)
			from webhook_endpoints() as candidate, lateral (
				select next_attempt_at from deliveries
				where endpoint_id = candidate.id and status = 'pending' order by next_attempt_at limit 1) as first
			where candidate.id = result.endpoint_id and is_live and candidate.url_hash = result.url_hash);
		-- After only 2xx answers the decision of an earlier failed attempt stays.
		is_urgent := destination.is_awaited and destination.proven_at is not null and result.is_all_answered;
		if next_at > _now and not is_urgent then
			is_urgent := is_worth_waking(destination, next_at, exists (
				select from deliveries
				where endpoint_id = result.endpoint_id and event_id = any (result.event_ids)
					and created_at > _now - limit_span(_limits, 'freshMs')), _limits, _now);
		end if;
		update webhook_targets set proven_at = destination.proven_at, answered_at = destination.answered_at,
			unconfirmed_reason = destination.unconfirmed_reason, is_healthy = destination.is_healthy,
			failing_since = destination.failing_since, held_until = destination.held_until, last_attempt_at = _leased_at,
			is_awaited = is_urgent
		where wallet = result.wallet and url_hash = result.url_hash;
		return next;
	end loop;
end $$;
