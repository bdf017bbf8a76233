-- Ends a wallet's grant. The client's tokens are rejected afterwards. Repeating it changes nothing.
-- outcome: ended | grant_not_found
create function end_grant(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform assert_session(_session_wallet, _session_generation);
	update grants set ended_at = coalesce(ended_at, _now) where id = _id and wallet = _wallet;
	return query select case when found then 'ended' else 'grant_not_found' end;
end $$;
