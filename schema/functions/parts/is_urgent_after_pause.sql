-- Whether the database is woken for an endpoint when its destination's pause ends. That needs either of two
-- things: the failed attempt decided so, or the pause ends by `_soon` and a request has enqueued a delivery
-- since the last attempt. Sweeps and runs share this condition, so they schedule the same time.
create function is_urgent_after_pause(destination webhook_targets, _endpoint_id uuid, _now timestamptz, _soon timestamptz)
returns boolean language sql stable as $$
	select destination.is_awaited or destination.held_until <= _soon and exists (
		select from deliveries
		where endpoint_id = _endpoint_id and status = 'pending' and attempts = 0 and next_attempt_at <= _now
			-- The first attempt at a destination without any result may have been cut off.
			and next_attempt_at >= case
				when coalesce(destination.proven_at, destination.answered_at, destination.failing_since) is null then '-infinity'
				else destination.last_attempt_at end)
$$;
