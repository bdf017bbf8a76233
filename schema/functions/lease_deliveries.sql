-- Leases up to `_limit` due deliveries of a webhook endpoint, if it is live, still has the URL of
-- `_url_hash`, and its target and host may be sent something now. Until `_lease_end` nobody else gets
-- these deliveries; if by then no result was recorded, they are due again. Parallel calls lease different
-- deliveries. A target that is probed (it was never proven, or fails) gets one attempt, and is held until
-- its end: `is_probed`. `has_slots`: each delivery has taken a slot in its host's minute. A target that
-- finds no slot there is held all the same, and has used its attempt.
-- types: kind WebhookEndpointKind, wallet Wallet
create function lease_deliveries(_endpoint_id uuid, _url_hash text, _host text, _lease uuid, _now timestamptz,
	_due_before timestamptz, _lease_end timestamptz, _unproven_until timestamptz, _minute timestamptz,
	_per_host integer, _unproven_per_host integer, _unproven_in_all integer, _limit integer)
returns table (kind text, wallet text, url text, secrets text[], is_proven boolean, is_probed boolean,
	has_slots boolean, id uuid, type text, "timestamp" text, data text, attempts integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint record;
	target webhook_targets;
	_is_proven boolean;
	_is_probed boolean;
	_due uuid[];
begin
	select * into endpoint from webhook_endpoints() as hook
	where hook.id = _endpoint_id and is_live and hook.url_hash = _url_hash and not exists (
		select from webhook_targets
		where webhook_targets.wallet = hook.wallet and url_hash = _url_hash and held_until > _due_before);
	if not found then
		return;
	end if;

	-- Locked in this order: deliveries, their target, its host.
	_due := array(
		select event_id from deliveries
		where endpoint_id = _endpoint_id and status = 'pending' and next_attempt_at <= _due_before
		order by next_attempt_at limit _limit for update skip locked);
	if _due = '{}' then
		return;
	end if;
	insert into webhook_targets (wallet, url_hash, last_attempt_at, held_until)
	values (endpoint.wallet, _url_hash, _now, _unproven_until)
	on conflict (wallet, url_hash) do update set held_until = case
		when webhook_targets.proven_at is null then _unproven_until
		when webhook_targets.failing_since is not null then _lease_end end
	where webhook_targets.held_until is null or webhook_targets.held_until <= _due_before
	returning * into target;
	if not found then
		return;
	end if;
	_is_proven := target.proven_at is not null;
	_is_probed := not _is_proven or target.failing_since is not null;
	if _is_probed then
		_due := _due[1:1];
	end if;
	if not target.is_healthy then
		if not take_slots(_host, _minute, cardinality(_due),
			case when _is_proven then _per_host else _unproven_per_host end) then
			return;
		end if;
		-- A target that has failed comes again by itself, as often as there is room: first attempts keep half of
		-- it. Nothing gives this slot back: it stands for an attempt, however that is answered.
		if not _is_proven and not take_slots('all hosts', _minute, 1,
			_unproven_in_all / case when target.failing_since is not null then 2 else 1 end) then
			return;
		end if;
	end if;

	return query
		update deliveries set lease = _lease, next_attempt_at = _lease_end from events
		where endpoint_id = _endpoint_id and event_id = any (_due) and events.id = event_id
		returning endpoint.kind, endpoint.wallet, endpoint.url,
			array_remove(array[endpoint.secret,
				case when endpoint.previous_secret_ends_at > _now then endpoint.previous_secret end], null),
			_is_proven, _is_probed, not target.is_healthy,
			events.id, events.type, wire_time(occurred_at), events.data::text, deliveries.attempts;
end $$;
