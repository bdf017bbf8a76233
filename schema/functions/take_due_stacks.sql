-- Leases the check of signed stacks of any owners on the chain: stacks that use yield limits and may have
-- expired (signed at `_signed_by` or before). Takes up to `_limit`, the largest yields first, and skips
-- owners checked since `_asked_by`. Marks these owners as checked at `_now`, by which the caller finds the
-- stacks. One caller in two seconds gets the lease (`busy`: the last lease ends after `_lease_end`), and
-- continues with `_has_lease`. Skips owners whose rows are locked, so that nothing waits.
-- outcome: taken | nothing_due | busy
create function take_due_stacks(_day date, _has_lease boolean, _lease_end timestamptz, _signed_by timestamptz,
	_asked_by timestamptz, _limit integer, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_owners text[];
begin
	if not _has_lease then
		perform from vault_yield_days where day = _day and settled_at <= _lease_end for update;
		if not found then
			return query select 'busy';
			return;
		end if;
	end if;
	-- A value makes a generic plan search by the owner of each stack.
	_owners := array(
		select stack.owner from vault_intents as stack
		where stack.status = 'open' and stack.kind = 'stack' and stack.yield > 0
			and (stack.signing = 'service_first' or stack.cosigned_at is not null)
			and coalesce(stack.cosigned_at, stack.created_at) <= _signed_by
			and (stack.search_after is null or stack.search_after <= _now)
			and (select settled_at from vaults where vaults.owner = stack.owner) <= _asked_by
		order by stack.yield desc limit _limit);
	_owners := array(
		select owner from vaults where owner = any (_owners) and settled_at <= _asked_by
		for no key update skip locked);
	if cardinality(_owners) = 0 then
		return query select 'nothing_due';
		return;
	end if;
	update vaults set settled_at = _now where owner = any (_owners);
	update vault_yield_days set settled_at = _now where day = _day and not _has_lease;
	return query select 'taken';
end $$;
