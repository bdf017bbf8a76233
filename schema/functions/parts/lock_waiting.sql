-- Locks the pending deliveries of a webhook endpoint of the wallet: deliveries are locked before their
-- endpoint.
create function lock_waiting(_endpoint_id uuid, _wallet text) returns void language sql as $$
	select from deliveries
	where endpoint_id = _endpoint_id and wallet = _wallet and status = 'pending' order by event_id for update
$$;
