-- Gives up all that waits for a webhook endpoint, since its owner has set another URL: that inherits
-- nothing. An attempt under way loses its lease, or its failure would put the delivery in line for the
-- new URL. The caller has called lock_waiting before it locked the endpoint.
create function give_up_waiting(_endpoint_id uuid) returns void language sql as $$
	update deliveries set status = 'failed', next_attempt_at = null, lease = null
	where endpoint_id = _endpoint_id and status = 'pending'
$$;
