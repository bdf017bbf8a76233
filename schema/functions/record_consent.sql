-- Spends a nonce and records a wallet's consent, like a login. Returns the wallet's session `epoch`. With
-- `grant_id` it also records the grant of a token or a key, and publishes it; a client's grant follows when
-- it redeems its code. Consents count against the client address, per hour. A consent above that limit is a
-- login, too, and spends its nonce.
-- outcome: recorded | nonce_spent | too_many_consents
-- optional: grant_id, kind, client, name, public_key, permissions, spend_limit, ends_at
create function record_consent(_nonce text, _expires_at timestamptz, _wallet text, _address_hash text,
	_consents_per_address integer, _grant_id uuid, _kind text, _client text, _name text, _public_key text,
	_permissions text[], _spend_limit bigint, _ends_at timestamptz, _now timestamptz)
returns table (outcome text, epoch integer, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	login record;
	_to_notify text[] := '{}';
begin
	select * into login from record_login(_nonce, _expires_at, _wallet, null, _now);
	if login.outcome = 'nonce_spent' then
		return query select 'nonce_spent', login.epoch, _to_notify;
		return;
	end if;
	-- Grants are locked before quotas: the new one may end another one, which may be hiring.
	perform from grants where wallet = _wallet and ended_at is null and _grant_id is not null for no key update;
	outcome := case when count_call(_wallet, _address_hash, _consents_per_address, _now)
		then 'recorded' else 'too_many_consents' end;
	if outcome = 'recorded' and _grant_id is not null then
		_to_notify := add_grant(_grant_id, _wallet, login.epoch, _kind, _client, _name, null, _public_key, _permissions,
			_spend_limit, _ends_at, _now);
	end if;
	return query select outcome, login.epoch, _to_notify;
end $$;
