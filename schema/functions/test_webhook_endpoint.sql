-- Records a test event for a webhook endpoint of the wallet and enqueues it, unless the endpoint is
-- disabled or the wallet requested a test since `_tested_before`. Concurrent calls of a wallet record one.
-- A receiver that failed to answer its request for a proof is asked again at once.
-- It counts per client address and hour; concurrent tests may each count.
-- outcome: sent | endpoint_not_found | webhook_disabled | tested_too_soon | address_too_often
-- nullable: event_id
create function test_webhook_endpoint(_session_wallet text, _session_generation integer,
	_endpoint_id uuid, _wallet text, _tested_before timestamptz, _address_hash text,
	_webhooks_per_address integer, _now timestamptz)
returns table (outcome text, event_id uuid)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint record;
	_event_id uuid;
	_paused_until timestamptz;
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into endpoint from webhook_endpoints() as candidate where candidate.id = _endpoint_id and candidate.wallet = _wallet;
	if not found or not endpoint.is_live then
		return query select case when found then 'webhook_disabled' else 'endpoint_not_found' end, null::uuid;
		return;
	end if;
	if exists (select from wallet_quotas where wallet = _wallet and tested_at > _tested_before) then
		return query select 'tested_too_soon', null::uuid;
		return;
	end if;
	if not count_call(_wallet, _address_hash, _webhooks_per_address, _now) then
		return query select 'address_too_often', null::uuid;
		return;
	end if;
	insert into wallet_quotas (wallet, tested_at) values (_wallet, _now)
	on conflict (wallet) do update set tested_at = _now
	where wallet_quotas.tested_at is null or wallet_quotas.tested_at <= _tested_before;
	if not found then
		return query select 'tested_too_soon', null::uuid;
		return;
	end if;
	-- Only for this endpoint, regardless of its event types. The event's data has the endpoint, so that a
	-- trigger on events can also enqueue it.
	_event_id := record_event('endpoint.test', _now, _now, _wallet, null, null, json_build_object(
		'endpointId', _endpoint_id,
		'agentId', case when endpoint.kind = 'agent' then _endpoint_id end));
	insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at)
	values (_endpoint_id, _event_id, _wallet, _now, _now);
	-- The owner waits for it: a failed request for a proof is repeated now, and what waits for a retry is due.
	-- A later end of the pause was asked for by the receiver, and reserved tokens protect its host: both stay.
	select held_until into _paused_until from webhook_targets
	where wallet = _wallet and url_hash = endpoint.url_hash and proven_at is null and answered_at is null
		and reserved = 0 and held_until > _now
		and held_until <= last_attempt_at + greatest(last_attempt_at - failing_since, request_pause());
	if found then
		perform release_held(_endpoint_id, _now);
		-- A run that has begun an attempt since has set another pause.
		update webhook_targets set held_until = null where (wallet, url_hash) in (
			select wallet, url_hash from webhook_targets
			where wallet = _wallet and url_hash = endpoint.url_hash and reserved = 0 and held_until = _paused_until
			for update skip locked);
	end if;
	return query select 'sent', _event_id;
end $$;
