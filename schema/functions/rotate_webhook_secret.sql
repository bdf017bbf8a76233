-- Gives a webhook endpoint that the wallet has made another secret, sealed; the one that it replaces signs
-- until `_ends_at`, and any older one no more.
-- outcome: rotated | endpoint_of_agent | endpoint_not_found
create function rotate_webhook_secret(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _secret text, _ends_at timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform assert_session(_session_wallet, _session_generation);
	update endpoints set previous_secret = secret, previous_secret_ends_at = _ends_at, secret = _secret
	where id = _id and wallet = _wallet;
	return query select case
		when found then 'rotated'
		when exists (select from webhook_endpoints() as hook where hook.id = _id and hook.wallet = _wallet)
			then 'endpoint_of_agent'
		else 'endpoint_not_found' end;
end $$;
