-- Leases due deliveries of webhook endpoints, the highest rank first, within the tokens of the buckets
-- that limit their destinations. Until the lease ends, no other run gets them; without a recorded result
-- they are due again then. Concurrent calls lease different deliveries. A shared run (without
-- `_url_hash`) leases only deliveries of healthy destinations, which it does not lock. Each other
-- endpoint needs a run of its own (`is_failing`: its destination fails). A run for one endpoint leases
-- its deliveries if it still has the URL of `_url_hash`. A destination that is not proven, or fails, gets
-- one attempt, and is paused until its end. `challenge`: the receiver gets a request for a proof instead
-- of the event. `paused_until`: the pause of a new destination after the attempt, which grows with the
-- time of its failures. An endpoint that is paused or has no tokens is due at `retry_at`; `is_urgent`:
-- the database is woken for it. Only leased rows have `secrets` and the columns after it. `_limits`:
-- lib/events/limits.ts. Reserved tokens lapse after a while, so that nobody saves them up.
-- due: deliveries at retry_at, or with the next scheduled run if it is not urgent
-- outcome: leased | paused | needs_own_run
-- optional: url_hash, host, new_challenge
-- nullable: retry_at, challenge, paused_until, agent_name
-- types: kind WebhookEndpointKind, wallet Wallet, proof WebhookProof
create function lease_deliveries(_endpoint_ids uuid[], _url_hash text, _host text, _lease uuid, _trusted_hosts text[],
	_new_challenge text, _limits json, _now timestamptz)
returns table (outcome text, endpoint_id uuid, kind text, wallet text, url text, retry_at timestamptz,
	is_urgent boolean, is_failing boolean, secrets text[], proof text, challenge text,
	paused_until timestamptz, id uuid, type text, "timestamp" text, data text, agent_name text, attempts integer)
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
	destination webhook_targets;
	_is_paused boolean;
	_is_probed boolean;
	_due uuid[];
	_host_of_class text;
	_usable_at timestamptz;
begin
	for endpoint in
		select candidate.*, known as destination from webhook_endpoints() as candidate
		left join webhook_targets as known on known.wallet = candidate.wallet and known.url_hash = candidate.url_hash
		where candidate.id = any (_endpoint_ids) and is_live and (_is_shared or candidate.url_hash = _url_hash)
		-- Shared runs lock the buckets of wallets at hosts in this order.
		order by candidate.wallet, known.host
	loop
		destination := endpoint.destination;
		_is_paused := coalesce(destination.held_until > _due_before, false);
		_due := '{}';
		-- Locked in this order: deliveries, their destination, the buckets.
		if not _is_paused and (destination.is_healthy or not _is_shared) then
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
				returning * into destination;
				_is_paused := not found;
			end if;
		end if;
		endpoint_id := endpoint.id;
		kind := endpoint.kind;
		wallet := endpoint.wallet;
		url := endpoint.url;
		if _is_paused or _due = '{}' then
			select * into destination from webhook_targets
			where webhook_targets.wallet = endpoint.wallet and url_hash = endpoint.url_hash;
			outcome := case when _is_paused then 'paused' else 'needs_own_run' end;
			retry_at := case when _is_paused then destination.held_until end;
			-- During an attempt only its result decides whether the database is woken.
			is_urgent := case when _is_shared then is_urgent_after_pause(destination, endpoint.id, _due_before, _soon)
				else destination.is_awaited end;
			is_failing := destination.proven_at is not null and destination.failing_since is not null;
			if exists (select from deliveries
				where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at <= _due_before) then
				return next;
			end if;
			continue;
		end if;

		proof := case when destination.proven_at is not null then 'proven'
			when destination.answered_at is not null and not _is_trusted then 'unconfirmed' else 'new' end;
		_is_probed := proof <> 'proven' or destination.failing_since is not null;
		if _is_probed then
			_due := _due[1:1];
		end if;
		_usable_at := _now;
		if destination.reserved > 0 and destination.held_until > _now - limit_span(_limits, 'reservedForMs') then
			_due := _due[1:destination.reserved];
		else
			-- Locked in this order: the bucket of the URL, the buckets of the host, the bucket of all hosts.
			-- Unpaid wallets cost nothing, so they have their own buckets, and paying wallets never wait for
			-- them.
			_host_of_class := case when is_paying(endpoint.wallet) then 'paying ' else '' end || destination.host;
			if proof = 'unconfirmed' then
				_usable_at := take_tokens('url ' || endpoint.wallet || ' ' || _url_hash, 1, _buckets -> 'url', _usable_at, _now);
				_usable_at := take_tokens('unconfirmed ' || _host_of_class, 1, _buckets -> 'unconfirmed', _usable_at, _now);
			elsif proof = 'new' and not _is_trusted then
				_usable_at := take_tokens('requests ' || _host_of_class, 1, _buckets -> 'requests', _usable_at, _now);
			elsif proof = 'proven' and _is_probed then
				_usable_at := take_tokens('failing ' || destination.host, 1, _buckets -> 'failing', _usable_at, _now);
			elsif not _is_trusted then
				_usable_at := take_tokens('proven ' || endpoint.wallet || ' ' || destination.host, cardinality(_due),
					_buckets -> 'proven', _usable_at, _now);
			end if;
			if _is_trusted then
				_usable_at := take_tokens('trusted ' || _host_of_class, cardinality(_due), _buckets -> 'trusted', _usable_at, _now);
			end if;
			if proof <> 'proven' then
				_usable_at := take_tokens('strangers', 1, _buckets -> 'strangers', _usable_at, _now);
			end if;
		end if;
		if _usable_at is null or _usable_at > _due_before then
			outcome := 'paused';
			retry_at := coalesce(_usable_at, _now + limit_span(_limits, 'refusedMs'));
			-- Strangers can make a host's queue arbitrarily long, so only a fresh delivery wakes the database.
			is_urgent := not _is_probed or retry_at <= _soon and exists (
				select from deliveries where endpoint_id = endpoint.id and event_id = _due[1]
					and created_at > _now - limit_span(_limits, 'freshMs'));
			if not _is_shared then
				update webhook_targets set held_until = retry_at,
					is_awaited = is_urgent, reserved = case when _usable_at is null then 0 else cardinality(_due) end
				where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash;
			end if;
			return next;
			continue;
		end if;

		-- The pause of a failed request equals the time since the first failure. `greatest` ignores null: the
		-- first failure.
		paused_until := case when proof = 'new' then
			_now + least(greatest(_now - destination.failing_since, limit_span(_limits, 'requestMs')), limit_span(_limits, 'maxRequestMs'))
			end;
		if not _is_shared then
			-- Messages during the attempt schedule no wake-up; the attempt's result decides it.
			update webhook_targets set
				held_until = coalesce(paused_until, case when _is_probed then _lease_end end),
				is_awaited = webhook_targets.is_awaited and not _is_probed, reserved = 0,
				challenge = coalesce(challenge, case when not _is_trusted then _new_challenge end)
			where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash
			returning * into destination;
		end if;
		return query
			update deliveries set lease = _lease, next_attempt_at = _lease_end from events
			where deliveries.endpoint_id = endpoint.id and event_id = any (_due) and events.id = event_id
			returning 'leased', endpoint.id, endpoint.kind, endpoint.wallet, endpoint.url, null::timestamptz, false, false,
				array_remove(array[endpoint.secret,
					case when endpoint.previous_secret_ends_at > _now then endpoint.previous_secret end], null),
				proof,
				case when proof = 'new' and not _is_trusted then destination.challenge end,
				paused_until, events.id, events.type, wire_time(occurred_at), events.data::text,
				(select agents.name from agents where agents.id = (events.data ->> 'agentId')::uuid), deliveries.attempts;
	end loop;
end $$;
