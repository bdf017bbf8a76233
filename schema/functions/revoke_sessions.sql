-- Ends all existing sessions of the session's wallet, including this one, by raising the wallet's session
-- epoch by one. If two sessions of one epoch call it concurrently, the second call does not end sessions that
-- began in between. A wallet without a row is at 0.
create function revoke_sessions(_session_wallet text, _session_generation integer,
	_now timestamptz)
returns table (generation integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform assert_session(_session_wallet, _session_generation);
	insert into wallets (address, first_login_at, last_login_at, session_generation)
	values (_session_wallet, _now, _now, 1)
	on conflict (address) do update set session_generation = wallets.session_generation + 1
	where wallets.session_generation = _session_generation;
	return query select session_generation from wallets where address = _session_wallet;
end $$;
