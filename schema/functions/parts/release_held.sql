-- Makes the waiting deliveries of a webhook endpoint due, since its owner has enabled it or set its URL
-- again. Skips running attempts. Takes at most 5,000; another call of the owner takes the next.
create function release_held(_endpoint_id uuid, _now timestamptz) returns void language sql as $$
	update deliveries set next_attempt_at = _now
	where ctid = any (array(
		select ctid from deliveries
		where endpoint_id = _endpoint_id and status = 'pending' and lease is null and next_attempt_at > _now
		order by next_attempt_at limit 5000 for update skip locked))
$$;
