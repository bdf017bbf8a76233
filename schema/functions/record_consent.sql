-- Spends a nonce and records a wallet's consent to a client, like a login. Returns the wallet's session
-- `epoch`. Consents count against the client address, per hour. A consent above that limit is a login, too,
-- and spends its nonce.
-- outcome: recorded | nonce_spent | too_many_consents
create function record_consent(_nonce text, _expires_at timestamptz, _wallet text, _address_hash text,
	_consents_per_address integer, _now timestamptz)
returns table (outcome text, epoch integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	login record;
begin
	select * into login from record_login(_nonce, _expires_at, _wallet, null, _now);
	return query select case
		when login.outcome = 'nonce_spent' then 'nonce_spent'
		when not is_within_hour(_wallet, _address_hash, _consents_per_address, _now) then 'too_many_consents'
		else 'recorded' end, login.epoch;
end $$;
