-- Refuses a session that was revoked: its token is of another generation than its wallet is at. A
-- wallet without a row is at 0. Every function that a session calls begins with this; any other
-- statement of a session stands behind it in a batch (lib/db/session.ts). It reads, and locks nothing:
-- what began before a revocation may end after it. Without a wallet no session calls.
create function assert_session(_session_wallet text, _session_generation integer)
returns void language plpgsql stable security definer set search_path from current as $$
begin
	if _session_wallet is not null and _session_generation is distinct from
		coalesce((select session_generation from wallets where address = _session_wallet), 0)
	then
		raise exception 'the session was revoked' using errcode = 'AC401';
	end if;
end $$;
