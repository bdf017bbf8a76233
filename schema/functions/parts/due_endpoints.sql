-- Returns the endpoints of a wallet that have a URL and due deliveries.
create function due_endpoints(_wallet text, _url text, _now timestamptz) returns text[] language sql stable as $$
	select array(
		select hook.id::text from webhook_endpoints() as hook
		where hook.wallet = _wallet and url = _url and is_live and exists (
			select from deliveries
			where endpoint_id = hook.id and status = 'pending' and next_attempt_at <= _now))
$$;
