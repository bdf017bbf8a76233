-- Removes a stack, or the opening of a vault, from its owner's count of open ones, and settles its yield in
-- the limits of the day of its signing. A stack that was only built returns its reservation; one cosigned
-- at the relay returns its share. A yield that has left the treasury (`_is_taken`) counts as taken.
-- `_stack` is the intent before it ended; one that was considered expired has already returned everything.
-- The owner's row counts for one day only. The caller has locked it; the day's row is locked after the rows
-- of owners.
create function settle_stack(_stack vault_intents, _is_taken boolean) returns void language plpgsql as $$
#variable_conflict use_column
declare
	_yield constant bigint := coalesce(_stack.yield, 0);
	_held constant bigint := case when _stack.status = 'open' then _yield else 0 end;
	_released constant bigint := case when _stack.signing = 'service_first' then _held else 0 end;
	_taken constant bigint := case when _is_taken then _yield else 0 end
		- case when _stack.signing = 'wallet_first' then _held else 0 end;
	_was_counted constant boolean := _stack.status = 'open'
		and (_stack.signing = 'service_first' or _stack.cosigned_at is not null);
begin
	update vaults set
		open_stacks = open_stacks - case when _was_counted then 1 else 0 end,
		yield_reserved = yield_reserved - case when yield_day = _stack.yield_day then _released else 0 end,
		yield_landed = yield_landed + case when yield_day = _stack.yield_day then _taken else 0 end
	where owner = _stack.owner;
	if _released <> 0 or _taken <> 0 then
		update vault_yield_days set reserved = reserved - _released, landed = landed + _taken
		where day = _stack.yield_day;
	end if;
end $$;
