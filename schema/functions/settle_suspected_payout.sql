-- Settles the suspicion that a position was withdrawn before its time, by a finalized read of the chain. If
-- the read confirms it, the breaker stops new stakes of the position's key version. Otherwise the position
-- is open again with the balance that was read, unless a state was recorded for a later slot.
-- outcome: settled | superseded
create function settle_suspected_payout(_owner text, _address text, _is_confirmed boolean, _balance bigint, _slot bigint,
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_key_version smallint;
begin
	-- The owner's row first, as settlements do: a trigger counts a reopened position there.
	perform from vaults where owner = _owner for no key update;
	if _is_confirmed then
		update positions set early = 'confirmed', suspected_slot = null
		where address = _address and early = 'seen'
		returning generation into _key_version;
	else
		update positions set early = null, suspected_slot = null, status = 'open', withdrawn_at = null,
			escrowed = _balance, seen_slot = _slot
		where address = _address and early = 'seen' and seen_slot <= _slot
		returning generation into _key_version;
	end if;
	if _is_confirmed and _key_version is not null then
		perform trip_breaker(_key_version, _now);
	end if;
	return query select case when _key_version is null then 'superseded' else 'settled' end;
end $$;
