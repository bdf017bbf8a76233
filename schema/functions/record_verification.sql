-- Records a 2xx answer to a request for a proof: the proof, or another answer, which makes the destination
-- unconfirmed for `_unconfirmed_reason`. The delivery behind the request is due again, without a used
-- attempt. `nudges`: the endpoints with due deliveries.
-- optional: unconfirmed_reason
create function record_verification(_endpoint_id uuid, _event_id uuid, _wallet text, _url text, _url_hash text, _lease uuid,
	_leased_at timestamptz, _unconfirmed_reason text, _is_healthy boolean,
	_now timestamptz)
returns table (nudges text[])
language plpgsql security definer set search_path from current as $$
begin
	-- Locked in this order: deliveries, their destination.
	update deliveries set lease = null, next_attempt_at = _now
	where endpoint_id = _endpoint_id and event_id = _event_id and lease = _lease;
	update webhook_targets set
		proven_at = coalesce(proven_at, case when _unconfirmed_reason is null then _now end),
		answered_at = coalesce(answered_at, _leased_at),
		unconfirmed_reason = _unconfirmed_reason,
		is_healthy = _is_healthy,
		failing_since = null,
		held_until = null,
		last_attempt_at = _leased_at
	where wallet = _wallet and url_hash = _url_hash;
	return query select due_endpoints(_wallet, _url, _now);
end $$;
