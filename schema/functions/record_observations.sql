-- Records the open positions of one read of the chain, at `_slot`. Settlements recorded for a later slot
-- stay. Positions that are gone are closed, and positions that never were in escrow are void, unless the
-- settings have other keys than the deployed ones. The lists have an entry for each position. `_early`
-- names positions that paid out more than had accrued. Returns the recorded positions.
-- due: positions thirty seconds after an early payout is seen
-- types: address Address, owner Wallet, status PositionStatus
create function record_observations(_addresses text[], _balances bigint[], _statuses text[], _authorities text[],
	_recoveries text[], _early text[], _slot bigint, _now timestamptz)
returns table (address text, owner text, status text, generation smallint)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	stake positions;
begin
	-- Locks the rows of owners whose number of open positions changes first, as settlements do. Then it
	-- locks the positions, in the order of claims.
	perform from vaults where owner in (
		select owner from unnest(_addresses, _statuses) as seen (address, status) join positions using (address)
		where seen.status <> 'open')
	order by owner for no key update;
	perform from positions where address = any (_addresses) order by address for update;
	for stake in
		with seen as (
			select address, balance, seen.status, authority, recovery,
				-- After a confirmed early payout, only the next one lowers the balance before the same
				-- amount has accrued.
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
		if stake.status = 'withdrawn' then
			-- Nothing is enqueued: a job run does this, and its sweep of deliveries follows.
			perform publish_position_closed(stake, _now);
		end if;
		return query select stake.address, stake.owner, stake.status, stake.generation;
	end loop;
end $$;
