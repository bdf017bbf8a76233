-- Returns the owners' quota slots of unpaid charges; `_owners` has an entry for each charge. A deleted
-- charge returns one slot. A paid one returns two, and so makes room for another. Owners are locked in
-- order, so that two transactions do not deadlock.
create function release_charges(_owners text[], _slots_each integer) returns void language plpgsql as $$
#variable_conflict use_column
begin
	perform from wallet_quotas where wallet = any (_owners) order by wallet for no key update;
	update wallet_quotas set unpaid_charges = unpaid_charges - released.slots
	from (
		select owner, (count(*) * _slots_each)::integer as slots from unnest(_owners) as owner group by owner) as released
	where wallet = any (_owners) and wallet = released.owner;
end $$;
