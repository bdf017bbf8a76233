-- Makes due the failed deliveries of a webhook endpoint that wait to be tried again, since its owner has
-- enabled it or set its URL anew. What is under way is left; so is what goes beyond 5,000, until its owner
-- asks once more.
create function release_held(_endpoint_id uuid, _now timestamptz) returns void language sql as $$
	update deliveries set next_attempt_at = _now
	where ctid = any (array(
		select ctid from deliveries
		where endpoint_id = _endpoint_id and status = 'pending' and lease is null and next_attempt_at > _now
		order by next_attempt_at limit 5000 for update skip locked))
$$;
