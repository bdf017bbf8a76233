-- Rejects a revoked session: its token has another session epoch (`session_generation`) than its wallet, or
-- its grant has ended. A wallet without a row has epoch 0. A token expires before its grant, so no time is
-- checked. Every function that a session calls begins with this; other statements of a session follow it in a
-- batch (lib/db/session.ts). It takes no lock, so calls that began before a revocation may still finish.
-- Without a wallet, no session is checked.
create function assert_session(_session_wallet text, _session_generation integer, _grant uuid default null)
returns void language plpgsql stable security definer set search_path from current as $$
begin
	if _session_wallet is not null and (_session_generation is distinct from
			coalesce((select session_generation from wallets where address = _session_wallet), 0)
		or _grant is not null and not exists (
			select from grants where id = _grant and wallet = _session_wallet and ended_at is null))
	then
		raise exception 'the session was revoked' using errcode = 'AC401';
	end if;
end $$;
