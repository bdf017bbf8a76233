-- Ends all existing sessions and grants of the session's wallet, including this session, by raising the
-- wallet's session epoch by one. If two sessions of one epoch call it concurrently, the second call does not
-- end sessions and grants that began in between. A wallet without a row is at 0.
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
	update grants set ended_at = _now
	where wallet = _session_wallet and session_generation <= _session_generation and ended_at is null;
	return query select session_generation from wallets where address = _session_wallet;
end $$;
