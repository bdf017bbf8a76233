-- Settles a suspected position by a finalized read. Confirmed, it stops new stacks of its
-- generation. Refuted, the position is as it was read: open, in any status recorded when it was
-- suspected; but a read refutes nothing that was recorded of a later slot.
-- outcome: settled | superseded
create function settle_suspicion(_owner text, _address text, _is_confirmed boolean, _balance bigint, _slot bigint,
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_generation smallint;
begin
	-- The owner's row first, as settlements lock it: a trigger counts there a position that is open again.
	perform from vaults where owner = _owner for no key update;
	if _is_confirmed then
		update positions set early = 'confirmed', suspected_slot = null
		where address = _address and early = 'seen'
		returning generation into _generation;
	else
		update positions set early = null, suspected_slot = null, status = 'open', withdrawn_at = null,
			escrowed = _balance, seen_slot = _slot
		where address = _address and early = 'seen' and seen_slot <= _slot
		returning generation into _generation;
	end if;
	if _is_confirmed and _generation is not null then
		perform trip_breaker(_generation, _now);
	end if;
	return query select case when _generation is null then 'superseded' else 'settled' end;
end $$;
