-- Records that a payment to an agent was refused for a reason that its owner can remove: at most once an
-- hour for each reason. Publishes it to the owner at most once in 24 hours, within the limit of
-- count_failure_event. A settled payment clears `first_at` (resolve_request_payments), so the next refusal
-- is the first again.
create function record_request_refusal(_agent_id uuid, _reason text, _now timestamptz)
returns table (to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	pause constant interval := interval '1 hour'; -- REFUSAL_PAUSE_MS of lib/x402/rules.ts
	event_pause constant interval := interval '24 hours'; -- REFUSAL_EVENT_MS
	_owner text;
	refusal request_refusals;
begin
	to_notify := '{}';
	select pubkey into _owner from agents where id = _agent_id for no key update;
	insert into request_refusals (agent_id, reason, first_at, last_at, published_at)
	values (_agent_id, _reason, _now, _now, '-infinity')
	on conflict (agent_id, reason) do update set first_at = coalesce(request_refusals.first_at, excluded.first_at),
		last_at = excluded.last_at
	where request_refusals.last_at <= _now - pause
	returning * into refusal;
	-- Two conditions in one would count an event also when the first is null.
	if refusal.published_at <= _now - event_pause then
		if count_failure_event(_owner, _now) then
			update request_refusals set published_at = _now where agent_id = _agent_id and reason = _reason;
			to_notify := publish_event('request.refused', _now, _now, _owner, null, _agent_id, json_build_object(
				'agentId', _agent_id,
				'reason', _reason,
				'since', wire_time(refusal.first_at)));
		end if;
	end if;
	return next;
end $$;
