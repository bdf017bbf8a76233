-- Locks the vaults of owners in the order of their keys, before a transaction records several outcomes.
-- Each outcome also locks the row of its day, which comes after the vaults.
create function lock_owners(_owners text[]) returns table (locked integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform from vaults where owner = any (_owners) order by owner for no key update;
	get diagnostics locked = row_count;
	return next;
end $$;
