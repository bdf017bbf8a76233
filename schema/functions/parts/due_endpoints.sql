-- Returns the endpoints of a wallet that have a URL and due deliveries.
create function due_endpoints(_wallet text, _url text, _now timestamptz) returns text[] language sql stable as $$
	select array(
		select candidate.id::text from webhook_endpoints() as candidate
		where candidate.wallet = _wallet and url = _url and is_live and exists (
			select from deliveries
			where endpoint_id = candidate.id and status = 'pending' and next_attempt_at <= _now))
$$;
