-- Issues the next refresh token of a grant: advances its `sequence`. The token before the current one is
-- answered with the current one for a minute, so that several processes of a client can refresh at once. Any
-- other token was used twice, which ends the grant, because one of both callers may have stolen it. So does
-- another session epoch of the wallet. A token of another client changes nothing.
-- outcome: refreshed | repeated | grant_ended
-- nullable: wallet, epoch, sequence, rotated_at, permissions, expires_at
-- types: wallet Wallet, permissions GrantablePermission[]
create function refresh_grant(_id uuid, _client text, _sequence integer, _now timestamptz)
returns table (outcome text, wallet text, epoch integer, sequence integer, rotated_at timestamptz,
	permissions text[], expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	repeatable_seconds constant integer := 60; -- REPEATABLE_SECONDS of lib/auth/grants/rules.ts
	consent grants;
begin
	select * into consent from grants where id = _id and client = _client for no key update;
	outcome := case
		when not found or not is_active_grant(consent, _now) then 'grant_ended'
		when consent.session_generation is distinct from
			(select session_generation from wallets where address = consent.wallet) then 'grant_ended'
		when _sequence = consent.sequence then 'refreshed'
		when _sequence = consent.sequence - 1
			and _now <= consent.rotated_at + make_interval(secs => repeatable_seconds) then 'repeated'
		else 'grant_ended' end;
	if outcome = 'refreshed' then
		update grants set sequence = sequence + 1, rotated_at = _now, last_used_at = _now
		where id = consent.id returning * into consent;
	elsif outcome = 'grant_ended' then
		update grants set ended_at = _now where id = consent.id and ended_at is null;
		consent := null;
	end if;
	return query select outcome, consent.wallet, consent.session_generation, consent.sequence, consent.rotated_at,
		consent.permissions, consent.expires_at;
end $$;
