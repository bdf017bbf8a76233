-- Leases due deliveries of webhook endpoints, the highest rank first, within the tokens of the buckets that
-- limit their destinations. Until the lease ends, no other run gets them; without a recorded result they
-- are due again then. Concurrent calls lease different deliveries. A shared run (without `_url_hash`)
-- leases those of healthy destinations, without locking these. The others need a run each (`is_failing`:
-- one that fails). A run for one endpoint leases its deliveries if it still has the URL of `_url_hash`. A
-- destination that is not proven, or fails, gets one attempt, and is paused until its end.
-- `challenge`: the receiver gets a request for a proof instead of the event. `held_until`: the pause of a
-- new destination after the attempt, which grows with the time of its failures. An endpoint that is paused
-- or has no tokens is due at `retry_at`; `is_awaited`: the database is woken for it. Only leased rows have
-- `secrets` and the columns after it. `_limits` are those of lib/events/limits.ts. Reserved tokens lapse
-- after a while, so that nobody saves them up.
-- due: deliveries at retry_at, or with the next scheduled run if it is not awaited
-- outcome: leased | paused | needs_own_run
-- optional: url_hash, host, new_challenge
-- nullable: retry_at, challenge, held_until
-- types: kind WebhookEndpointKind, wallet Wallet, proof WebhookProof
create function lease_deliveries(_endpoint_ids uuid[], _url_hash text, _host text, _lease uuid, _trusted_hosts text[],
	_new_challenge text, _limits json, _now timestamptz)
returns table (outcome text, endpoint_id uuid, kind text, wallet text, url text, retry_at timestamptz,
	is_awaited boolean, is_failing boolean, secrets text[], proof text, challenge text,
	held_until timestamptz, id uuid, type text, "timestamp" text, data text, attempts integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_is_shared constant boolean := _url_hash is null;
	_is_trusted constant boolean := not _is_shared and _host = any (_trusted_hosts);
	_buckets constant json := _limits -> 'buckets';
	_due_before constant timestamptz := _now + limit_span(_limits, 'toleranceMs');
	_soon constant timestamptz := _now + limit_span(_limits, 'soonMs');
	_lease_end constant timestamptz := _now + limit_span(_limits, 'leaseMs');
	endpoint record;
	target webhook_targets;
	_is_paused boolean;
	_is_probed boolean;
	_due uuid[];
	_host_of_class text;
	_turn timestamptz;
begin
	for endpoint in
		select hook.*, known as target from webhook_endpoints() as hook
		left join webhook_targets as known on known.wallet = hook.wallet and known.url_hash = hook.url_hash
		where hook.id = any (_endpoint_ids) and is_live and (_is_shared or hook.url_hash = _url_hash)
		-- Shared runs lock the buckets of wallets at hosts in this order.
		order by hook.wallet, known.host
	loop
		target := endpoint.target;
		_is_paused := coalesce(target.held_until > _due_before, false);
		_due := '{}';
		-- Locked in this order: deliveries, their destination, the buckets.
		if not _is_paused and (target.is_healthy or not _is_shared) then
			-- One rank at a time: an order by rank would also read deliveries of a rank that are due later.
			_due := array(
				select event_id from (values (2), (1), (0)) as ranked (rank) cross join lateral (
					select event_id from deliveries
					where endpoint_id = endpoint.id and rank = ranked.rank and status = 'pending' and next_attempt_at <= _due_before
					order by next_attempt_at limit (_limits ->> 'perEndpoint')::integer for update skip locked) as each
				limit (_limits ->> 'perEndpoint')::integer);
			continue when _due = '{}';
			if not _is_shared then
				insert into webhook_targets (wallet, url_hash, host, last_attempt_at)
				values (endpoint.wallet, _url_hash, _host, _now)
				on conflict (wallet, url_hash) do update set host = _host
				where webhook_targets.held_until is null or webhook_targets.held_until <= _due_before
				returning * into target;
				_is_paused := not found;
			end if;
		end if;
		endpoint_id := endpoint.id;
		kind := endpoint.kind;
		wallet := endpoint.wallet;
		url := endpoint.url;
		if _is_paused or _due = '{}' then
			select * into target from webhook_targets
			where webhook_targets.wallet = endpoint.wallet and url_hash = endpoint.url_hash;
			outcome := case when _is_paused then 'paused' else 'needs_own_run' end;
			retry_at := case when _is_paused then target.held_until end;
			-- During an attempt only its result decides whether the database is woken.
			is_awaited := case when _is_shared then is_awaited_after_pause(target, endpoint.id, _due_before, _soon)
				else target.is_awaited end;
			is_failing := target.proven_at is not null and target.failing_since is not null;
			if exists (select from deliveries
				where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at <= _due_before) then
				return next;
			end if;
			continue;
		end if;

		proof := case when target.proven_at is not null then 'proven'
			when target.answered_at is not null and not _is_trusted then 'unconfirmed' else 'new' end;
		_is_probed := proof <> 'proven' or target.failing_since is not null;
		if _is_probed then
			_due := _due[1:1];
		end if;
		_turn := _now;
		if target.reserved > 0 and target.held_until > _now - limit_span(_limits, 'reservedForMs') then
			_due := _due[1:target.reserved];
		else
			-- Locked in this order: the bucket of the URL, the buckets of the host, the bucket of all hosts.
			-- Unpaid wallets cost nothing, so they have their own buckets, and paying wallets never wait for
			-- them.
			_host_of_class := case when is_paying(endpoint.wallet) then 'paying ' else '' end || target.host;
			if proof = 'unconfirmed' then
				_turn := take_tokens('url ' || endpoint.wallet || ' ' || _url_hash, 1, _buckets -> 'url', _turn, _now);
				_turn := take_tokens('unconfirmed ' || _host_of_class, 1, _buckets -> 'unconfirmed', _turn, _now);
			elsif proof = 'new' and not _is_trusted then
				_turn := take_tokens('requests ' || _host_of_class, 1, _buckets -> 'requests', _turn, _now);
			elsif proof = 'proven' and _is_probed then
				_turn := take_tokens('failing ' || target.host, 1, _buckets -> 'failing', _turn, _now);
			elsif not _is_trusted then
				_turn := take_tokens('proven ' || endpoint.wallet || ' ' || target.host, cardinality(_due),
					_buckets -> 'proven', _turn, _now);
			end if;
			if _is_trusted then
				_turn := take_tokens('trusted ' || _host_of_class, cardinality(_due), _buckets -> 'trusted', _turn, _now);
			end if;
			if proof <> 'proven' then
				_turn := take_tokens('strangers', 1, _buckets -> 'strangers', _turn, _now);
			end if;
		end if;
		if _turn is null or _turn > _due_before then
			outcome := 'paused';
			retry_at := coalesce(_turn, _now + limit_span(_limits, 'refusedMs'));
			-- Strangers can make a host's queue arbitrarily long, so only a fresh delivery wakes the database.
			is_awaited := not _is_probed or retry_at <= _soon and exists (
				select from deliveries where endpoint_id = endpoint.id and event_id = _due[1]
					and created_at > _now - limit_span(_limits, 'freshMs'));
			if not _is_shared then
				update webhook_targets set held_until = lease_deliveries.retry_at,
					is_awaited = lease_deliveries.is_awaited, reserved = case when _turn is null then 0 else cardinality(_due) end
				where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash;
			end if;
			return next;
			continue;
		end if;

		-- The pause of a failed request equals the time since the first failure. `greatest` ignores null: the
		-- first failure.
		held_until := case when proof = 'new' then
			_now + least(greatest(_now - target.failing_since, limit_span(_limits, 'requestMs')), limit_span(_limits, 'maxRequestMs'))
			end;
		if not _is_shared then
			-- Messages during the attempt schedule no wake-up; the attempt's result decides it.
			update webhook_targets set
				held_until = coalesce(lease_deliveries.held_until, case when _is_probed then _lease_end end),
				is_awaited = webhook_targets.is_awaited and not _is_probed, reserved = 0,
				challenge = coalesce(challenge, case when not _is_trusted then _new_challenge end)
			where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash
			returning * into target;
		end if;
		return query
			update deliveries set lease = _lease, next_attempt_at = _lease_end from events
			where deliveries.endpoint_id = endpoint.id and event_id = any (_due) and events.id = event_id
			returning 'leased', endpoint.id, endpoint.kind, endpoint.wallet, endpoint.url, null::timestamptz, false, false,
				array_remove(array[endpoint.secret,
					case when endpoint.previous_secret_ends_at > _now then endpoint.previous_secret end], null),
				proof,
				case when proof = 'new' and not _is_trusted then target.challenge end,
				lease_deliveries.held_until, events.id, events.type, wire_time(occurred_at), events.data::text,
				deliveries.attempts;
	end loop;
end $$;
