-- Gives up all pending deliveries of a webhook endpoint, since another URL inherits nothing. A running
-- attempt loses its lease, or its failure would enqueue the delivery for the new URL. The caller has called
-- lock_waiting before it locked the endpoint.
create function give_up_waiting(_endpoint_id uuid) returns void language sql as $$
	update deliveries set status = 'failed', next_attempt_at = null, lease = null
	where endpoint_id = _endpoint_id and status = 'pending'
$$;
