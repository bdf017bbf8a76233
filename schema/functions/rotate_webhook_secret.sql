-- Gives a webhook endpoint of the wallet a new encrypted secret. The replaced one also signs until
-- `_ends_at`, and older ones end now. An agent's webhook may have no secret yet: `created`.
-- outcome: rotated | created | endpoint_not_found
create function rotate_webhook_secret(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _secret text, _ends_at timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_previous text;
begin
	perform assert_session(_session_wallet, _session_generation);
	update endpoints set previous_secret = secret, previous_secret_ends_at = _ends_at, secret = _secret
	where id = _id and wallet = _wallet returning previous_secret into _previous;
	if not found then
		insert into agent_webhook_secrets (agent_id, secret)
		select id, _secret from agents where id = _id and pubkey = _wallet and webhook_url is not null
		on conflict (agent_id) do update set previous_secret = agent_webhook_secrets.secret,
			previous_secret_ends_at = _ends_at, secret = excluded.secret
		returning previous_secret into _previous;
	end if;
	return query select case when not found then 'endpoint_not_found'
		when _previous is null then 'created' else 'rotated' end;
end $$;
