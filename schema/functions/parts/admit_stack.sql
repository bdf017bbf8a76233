-- Decides whether the authority may sign a stack now, by the rows of its owner and of the UTC day, and
-- counts the stack and its yield if so. A stack cosigned at the relay (wallet_first) may use the whole rest
-- of the limits, like a landed one. Reservations of stacks that are only built (service_first) may use half
-- of each. `capacity` is the rest. The caller has locked the owner's row; the day's row is locked after the
-- rows of owners.
create function admit_stack(_owner text, _key_version smallint, _signing text, _yield bigint, _yield_day date,
	_per_wallet bigint, _per_day bigint, _now timestamptz, out outcome text, out capacity bigint)
language plpgsql as $$
#variable_conflict use_column
declare
	max_open_stacks constant integer := 5; -- MAX_OPEN_STACKS of lib/vault/limits.ts
	max_open_positions constant integer := 50; -- MAX_OPEN_POSITIONS
	vault vaults;
	total vault_yield_days;
begin
	select * into vault from vaults where owner = _owner;
	-- The row counts one day only; for another day its counts are 0.
	if vault.yield_day is distinct from _yield_day then
		vault.yield_landed := 0;
		vault.yield_reserved := 0;
	end if;
	insert into vault_yield_days (day) values (_yield_day) on conflict do nothing;
	select * into total from vault_yield_days where day = _yield_day for update;
	capacity := greatest(0, case _signing
		when 'wallet_first' then least(
			_per_wallet - vault.yield_landed - vault.yield_reserved,
			_per_day - total.landed - total.reserved)
		else least(
			least(_per_wallet - vault.yield_landed, _per_wallet / 2) - vault.yield_reserved,
			least(_per_day - total.landed, _per_day / 2) - total.reserved) end);
	outcome := case
		when exists (select from vault_generations where generation = _key_version
			and (paused_at is not null or published_at is not null)) then 'stacking_paused'
		when vault.open_stacks >= max_open_stacks then 'too_many_open_stacks'
		when vault.open_stacks + vault.open_positions >= max_open_positions then 'positions_full'
		when _yield > capacity then 'yield_limit'
		else 'recorded' end;
	if outcome = 'recorded' then
		update vaults set open_stacks = open_stacks + 1, yield_day = _yield_day,
			yield_landed = vault.yield_landed + case _signing when 'wallet_first' then _yield else 0 end,
			yield_reserved = vault.yield_reserved + case _signing when 'service_first' then _yield else 0 end
		where owner = _owner;
		update vault_yield_days set
			landed = landed + case _signing when 'wallet_first' then _yield else 0 end,
			reserved = reserved + case _signing when 'service_first' then _yield else 0 end,
			stacked_at = greatest(stacked_at, _now)
		where day = _yield_day;
	end if;
end $$;
