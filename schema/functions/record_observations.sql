-- Records what one read of the chain showed of open positions, at `_slot`. What a settlement has
-- recorded of a later slot stands. Positions that are gone are closed, and positions that never were in
-- escrow void; none by settings of other keys than were deployed. The lists have an entry for each
-- position; `_early` names positions of which more was paid out than had accrued. Returns the positions
-- that were recorded.
-- due: positions thirty seconds after an early payout is seen
-- types: address Address, owner Wallet, status PositionStatus
create function record_observations(_addresses text[], _balances bigint[], _statuses text[], _authorities text[],
	_recoveries text[], _early text[], _slot bigint, _now timestamptz)
returns table (address text, owner text, status text, generation smallint)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	place positions;
begin
	-- The rows of owners whose number of open positions changes first, as settlements lock them; then the
	-- positions, in the order in which claims lock them.
	perform from vaults where owner in (
		select owner from unnest(_addresses, _statuses) as seen (address, status) join positions using (address)
		where seen.status <> 'open')
	order by owner for no key update;
	perform from positions where address = any (_addresses) order by address for update;
	for place in
		with seen as (
			select address, balance, seen.status, authority, recovery,
				-- After an early payout that was confirmed, nothing but the next one lowers the balance
				-- before as much has accrued.
				address = any (_early) and (early is null or early = 'confirmed' and balance < escrowed) as is_suspect
			from unnest(_addresses, _balances, _statuses, _authorities, _recoveries)
				as seen (address, balance, status, authority, recovery) join positions using (address)
			where positions.status = 'open' and seen_slot <= _slot)
		update positions set
			status = case
				when seen.status = 'void' and vault_keys_differ(generation, authority, recovery) then 'open'
				else seen.status end,
			escrowed = balance,
			seen_slot = _slot,
			seen_at = _now,
			early = case when is_suspect then 'seen' else early end,
			suspected_slot = case when is_suspect then _slot else suspected_slot end,
			withdrawn_at = case when seen.status = 'withdrawn' then _now end
		from seen where positions.address = seen.address
		returning positions.*
	loop
		if place.status = 'withdrawn' then
			-- Nobody is nudged: a round sees this, and the round of deliveries that follows finds what is due.
			perform tell_position_closed(place, _now);
		end if;
		return query select place.address, place.owner, place.status, place.generation;
	end loop;
end $$;
