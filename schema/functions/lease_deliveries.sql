-- Leases up to `_limit` due deliveries of a webhook endpoint, if it is live, still has the URL of
-- `_url_hash`, and its target and host may be sent something now. Until `_lease_end` nobody else gets
-- these deliveries; if by then no result was recorded, they are due again. The highest rank is leased
-- first. Parallel calls lease different deliveries. A target that is probed (it is not proven, or
-- fails) gets one attempt, and is held until its end: `is_probed`. `challenge`: the receiver is to be
-- asked for a proof instead of being sent the event. `has_slots`: each delivery has taken a slot in its
-- host's minute. `held_until` of a target that is not proven: the pause after the attempt. Where the
-- target is held, or the counters of a host, a wallet or all hosts have no place, one row without a
-- lease says by `turn_at` when to try again, and by `is_awaited` whether the database is woken for
-- that; such a target has used no attempt.
-- due: deliveries at turn_at, or with the next tick if it is not awaited
-- nullable: challenge, held_until, turn_at
-- types: kind WebhookEndpointKind, wallet Wallet, proof WebhookProof
create function lease_deliveries(_endpoint_id uuid, _url_hash text, _host text, _lease uuid, _now timestamptz,
	_due_before timestamptz, _lease_end timestamptz, _minute timestamptz, _hour timestamptz, _day timestamptz,
	_new_until timestamptz, _unconfirmed_until timestamptz, _new_challenge text, _is_trusted boolean,
	_per_host integer, _new_per_host integer, _new_in_all integer, _unconfirmed_per_host integer,
	_unconfirmed_per_day integer, _unconfirmed_in_all integer, _trusted_per_host integer, _per_wallet integer,
	_limit integer, _fresh_since timestamptz, _soon timestamptz)
returns table (kind text, wallet text, url text, secrets text[], proof text, is_probed boolean, has_slots boolean,
	challenge text, held_until timestamptz, id uuid, type text, "timestamp" text, data text, attempts integer,
	turn_at timestamptz, is_awaited boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_a_minute constant interval := '1 minute';
	endpoint record;
	target webhook_targets;
	_proof text;
	_is_probed boolean;
	_has_slots boolean := false;
	_line text;
	_due uuid[] := '{}';
	_count integer;
	_is_held boolean;
	_turn timestamptz;
	_until timestamptz;
	_is_awaited boolean;
begin
	select * into endpoint from webhook_endpoints() as hook
	where hook.id = _endpoint_id and is_live and hook.url_hash = _url_hash;
	if not found then
		return;
	end if;

	_is_held := exists (
		select from webhook_targets
		where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash and held_until > _due_before);
	if not _is_held then
		-- Locked in this order: deliveries, their target, the counters.
		-- A rank at a time: ordered by rank, one range of the index would be read with all that is due later.
		for _rank in reverse 2..0 loop
			_due := _due || array(
				select event_id from deliveries
				where endpoint_id = _endpoint_id and rank = _rank and status = 'pending' and next_attempt_at <= _due_before
				order by next_attempt_at limit _limit - cardinality(_due) for update skip locked);
			exit when cardinality(_due) = _limit;
		end loop;
		if _due = '{}' then
			return;
		end if;
		insert into webhook_targets (wallet, url_hash, host, last_attempt_at)
		values (endpoint.wallet, _url_hash, _host, _now)
		on conflict (wallet, url_hash) do update set host = _host
		where webhook_targets.held_until is null or webhook_targets.held_until <= _due_before
		returning * into target;
		_is_held := not found;
	end if;
	if _is_held then
		return query
			select endpoint.kind, endpoint.wallet, endpoint.url, '{}'::text[], '', false, false, null::text,
				null::timestamptz, event_id, '', '', '', 0, held_until, is_awaited
			from webhook_targets, deliveries
			where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash and held_until > _now
				and endpoint_id = _endpoint_id and status = 'pending' and next_attempt_at <= _due_before
			order by next_attempt_at limit 1;
		return;
	end if;
	_proof := case when target.proven_at is not null then 'proven'
		when target.answered_at is not null and not _is_trusted then 'unconfirmed' else 'new' end;
	_is_probed := _proof <> 'proven' or target.failing_since is not null;
	if _is_probed then
		_due := _due[1:1];
	end if;
	_count := cardinality(_due);

	if _proof = 'unconfirmed' then
		-- Free wallets, of which there are any number, have a line of their own, and others do not wait in it.
		_line := 'unconfirmed ' || case when is_paying(endpoint.wallet) then 'paying ' else '' end || _host;
		_turn := take_place(target, _line, _line, _hour, '1 hour', 1, _unconfirmed_per_host, _now);
		if _turn is null and not take_slots('all unconfirmed', _minute, 1, _unconfirmed_in_all) then
			perform settle_slots(_line, _hour, -1);
			_turn := _minute + _a_minute;
		end if;
	else
		if _proof = 'proven' and not take_slots(endpoint.wallet || ' ' || _host, _minute, _count, _per_wallet) then
			_turn := _minute + _a_minute;
		elsif _is_trusted then
			_turn := take_place(target, 'trusted ' || _host, 'trusted ' || _host, _hour, '1 hour', _count,
				_trusted_per_host, _now);
		end if;
		if _turn is null and not target.is_healthy then
			_has_slots := true;
			_turn := take_place(target, case when _proof = 'proven' then 'proven ' else 'new ' end || _host, _host,
				_minute, _a_minute, _count, case when _proof = 'proven' then _per_host else _new_per_host end, _now);
			-- A target that has failed comes again by itself, as often as there is room: first attempts keep half of
			-- it. Nothing gives this slot back: it stands for an attempt, however that is answered.
			if _turn is null and _proof <> 'proven' then
				_turn := take_place(target, case when target.failing_since is null then 'all new' else 'all failing' end,
					'all hosts', _minute, _a_minute, 1,
					_new_in_all / case when target.failing_since is null then 1 else 2 end, _now);
				if _turn is not null then
					perform settle_slots(_host, _minute, -1);
				end if;
			end if;
			if _turn is not null and _is_trusted then
				perform settle_slots('trusted ' || _host, _hour, -_count);
			end if;
		end if;
	end if;
	if _turn is not null then
		-- The line of a host is as long as strangers make it: the database is woken for what was just put in line.
		_is_awaited := not _is_probed or _turn <= _soon and exists (
			select from deliveries where endpoint_id = _endpoint_id and event_id = _due[1] and created_at > _fresh_since);
		update webhook_targets set is_awaited = _is_awaited
		where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash;
		return query select endpoint.kind, endpoint.wallet, endpoint.url, '{}'::text[], _proof, _is_probed, false, null::text,
			null::timestamptz, _due[1], '', '', '', 0, _turn, _is_awaited;
		return;
	end if;

	_until := case
		when _proof = 'unconfirmed' then case
			when target.day = _day and target.day_attempts + 1 >= _unconfirmed_per_day then _day + interval '1 day'
			else _unconfirmed_until end
		when _proof <> 'proven' then _new_until
		when target.failing_since is not null then _lease_end end;
	-- Who finds the target held by the attempt asks for no wake: what follows from it decides that.
	update webhook_targets set held_until = _until, is_awaited = is_awaited and not _is_probed,
		challenge = coalesce(challenge, case when not _is_trusted then _new_challenge end),
		day = case when _proof = 'unconfirmed' then _day else day end,
		day_attempts = case when _proof = 'unconfirmed' then case when day = _day then day_attempts else 0 end + 1
			else day_attempts end
	where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash
	returning * into target;

	return query
		update deliveries set lease = _lease, next_attempt_at = _lease_end from events
		where endpoint_id = _endpoint_id and event_id = any (_due) and events.id = event_id
		returning endpoint.kind, endpoint.wallet, endpoint.url,
			array_remove(array[endpoint.secret,
				case when endpoint.previous_secret_ends_at > _now then endpoint.previous_secret end], null),
			_proof, _is_probed, _has_slots,
			case when _proof = 'new' and not _is_trusted then target.challenge end,
			case when _proof <> 'proven' then _until end,
			events.id, events.type, wire_time(occurred_at), events.data::text, deliveries.attempts, null::timestamptz, false;
end $$;
