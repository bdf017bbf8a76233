-- Leases up to `_limit` due deliveries of a webhook endpoint, if it is enabled and still has the URL of
-- `_url_hash`. It also takes tokens of the buckets that limit its destination. Until `_lease_end` no other
-- run gets these deliveries; without a recorded result they are due again then. The highest rank comes
-- first. Concurrent calls lease different deliveries. `is_probed`: the destination is not proven, or fails.
-- It gets one attempt, and is paused until the attempt's end. `challenge`: the receiver gets a request for
-- a proof instead of the event. `held_until`: the pause of a new destination after the attempt. It grows
-- with the time of its failures, up to `_new_latest`. A destination that is paused or has no tokens gets
-- one row without a lease. Its `turn_at` is the time to retry, and `is_awaited` says whether the database
-- is woken for it. Reserved tokens lapse two minutes after their time (`_reserved_since`). So nobody saves
-- them up.
-- due: deliveries at turn_at, or with the next scheduled run if it is not awaited
-- nullable: challenge, held_until, turn_at
-- types: kind WebhookEndpointKind, wallet Wallet, proof WebhookProof
create function lease_deliveries(_endpoint_id uuid, _url_hash text, _host text, _lease uuid, _now timestamptz,
	_due_before timestamptz, _lease_end timestamptz, _new_until timestamptz, _new_latest timestamptz,
	_refused_until timestamptz, _reserved_since timestamptz, _new_challenge text, _is_trusted boolean, _buckets json,
	_limit integer, _fresh_since timestamptz, _soon timestamptz)
returns table (kind text, wallet text, url text, secrets text[], proof text, is_probed boolean,
	challenge text, held_until timestamptz, id uuid, type text, "timestamp" text, data text, attempts integer,
	turn_at timestamptz, is_awaited boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint record;
	target webhook_targets;
	_proof text;
	_is_probed boolean;
	_due uuid[] := '{}';
	_is_held boolean;
	_host_of_class text;
	_turn timestamptz := _now;
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
		-- Locked in this order: deliveries, their destination, the buckets.
		-- One rank at a time: an order by rank would also read deliveries of a rank that are due later.
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
			select endpoint.kind, endpoint.wallet, endpoint.url, '{}'::text[], '', false, null::text,
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

	if target.reserved > 0 and target.held_until > _reserved_since then
		_due := _due[1:target.reserved];
	else
		-- Locked in this order: the bucket of the URL, the buckets of the host, the bucket of all hosts.
		-- Unpaid wallets cost nothing, so they have their own buckets, and paying wallets never wait for
		-- them.
		_host_of_class := case when is_paying(endpoint.wallet) then 'paying ' else '' end || _host;
		if _proof = 'unconfirmed' then
			_turn := take_tokens('url ' || endpoint.wallet || ' ' || _url_hash, 1, _buckets -> 'url', _turn, _now);
			_turn := take_tokens('unconfirmed ' || _host_of_class, 1, _buckets -> 'unconfirmed', _turn, _now);
		elsif _proof = 'new' and not _is_trusted then
			_turn := take_tokens('requests ' || _host_of_class, 1, _buckets -> 'requests', _turn, _now);
		elsif _proof = 'proven' and _is_probed then
			_turn := take_tokens('failing ' || _host, 1, _buckets -> 'failing', _turn, _now);
		elsif not _is_trusted then
			_turn := take_tokens('proven ' || endpoint.wallet || ' ' || _host, cardinality(_due), _buckets -> 'proven',
				_turn, _now);
		end if;
		if _is_trusted then
			_turn := take_tokens('trusted ' || _host_of_class, cardinality(_due), _buckets -> 'trusted', _turn, _now);
		end if;
		if _proof <> 'proven' then
			_turn := take_tokens('strangers', 1, _buckets -> 'strangers', _turn, _now);
		end if;
	end if;
	if _turn is null or _turn > _due_before then
		-- Strangers can make a host's queue arbitrarily long, so only a fresh delivery wakes the database.
		_until := coalesce(_turn, _refused_until);
		_is_awaited := not _is_probed or _until <= _soon and exists (
			select from deliveries where endpoint_id = _endpoint_id and event_id = _due[1] and created_at > _fresh_since);
		update webhook_targets set held_until = _until, is_awaited = _is_awaited,
			reserved = case when _turn is null then 0 else cardinality(_due) end
		where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash;
		return query select endpoint.kind, endpoint.wallet, endpoint.url, '{}'::text[], _proof, _is_probed, null::text,
			null::timestamptz, _due[1], '', '', '', 0, _until, _is_awaited;
		return;
	end if;

	-- The pause of a failed request equals the time since the first failure. `greatest` ignores null: the
	-- first failure.
	_until := case
		when _proof = 'new' then least(greatest(_now + (_now - target.failing_since), _new_until), _new_latest)
		when _is_probed then _lease_end end;
	-- Messages during the attempt schedule no wake-up; the attempt's result decides it.
	update webhook_targets set held_until = _until, is_awaited = is_awaited and not _is_probed, reserved = 0,
		challenge = coalesce(challenge, case when not _is_trusted then _new_challenge end)
	where webhook_targets.wallet = endpoint.wallet and url_hash = _url_hash
	returning * into target;

	return query
		update deliveries set lease = _lease, next_attempt_at = _lease_end from events
		where endpoint_id = _endpoint_id and event_id = any (_due) and events.id = event_id
		returning endpoint.kind, endpoint.wallet, endpoint.url,
			array_remove(array[endpoint.secret,
				case when endpoint.previous_secret_ends_at > _now then endpoint.previous_secret end], null),
			_proof, _is_probed,
			case when _proof = 'new' and not _is_trusted then target.challenge end,
			case when _proof = 'new' then _until end,
			events.id, events.type, wire_time(occurred_at), events.data::text, deliveries.attempts, null::timestamptz, false;
end $$;
