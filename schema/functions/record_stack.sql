-- Records a built stack, or (`_kind` open_vault) the opening of a vault. It replaces the owner's unsigned
-- one, which is deleted unless the relay signs it meanwhile: an owner has at most one. A stack that the
-- authority signs now (service_first) takes its share of the day's yield limits. It is rejected if the
-- owner has too many open stacks or positions, new stacks of its key version are stopped, or the limits
-- have no capacity. A stack that the owner signs first takes no share. Without tokens (`_address_hash`) it
-- counts per client address and hour.
-- due: settlement five seconds after the authority has signed a stack, positions a minute after
-- outcome: recorded | stacking_paused | too_many_open_stacks | positions_full | yield_limit | too_many_builds
-- optional: lock_days, apy_bps, staked_at, yield, address_hash
-- nullable: capacity
-- types: capacity Cred
create function record_stack(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _kind text, _key_version smallint, _signing text,
	_transaction text, _message text, _last_valid_block_height bigint, _built_slot bigint, _lock_days smallint,
	_apy_bps smallint, _staked_at timestamptz, _yield bigint, _yield_day date, _address text, _principal bigint,
	_per_wallet bigint, _per_day bigint, _address_hash text, _builds_per_address integer, _lease_end timestamptz,
	_now timestamptz)
returns table (outcome text, capacity bigint)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_is_new boolean := false;
begin
	perform assert_session(_session_wallet, _session_generation);
	if _signing = 'service_first' then
		insert into vaults (owner, settled_at) values (_owner, _lease_end) on conflict do nothing;
		_is_new := found;
	end if;
	perform from vaults where owner = _owner for no key update;
	outcome := 'recorded';
	if _signing = 'service_first' then
		select * into outcome, capacity
		from admit_stack(_owner, _key_version, _signing, _yield, _yield_day, _per_wallet, _per_day, _now);
	elsif _address_hash is not null and not count_by_address(_address_hash, 'hour', _builds_per_address, _now) then
		outcome := 'too_many_builds';
	end if;
	if outcome <> 'recorded' then
		-- The first signed stack creates the row.
		if _is_new then
			delete from vaults where owner = _owner;
		end if;
		return next;
		return;
	end if;

	loop
		delete from vault_intents
		where owner = _owner and status = 'open' and signing = 'wallet_first' and cosigned_at is null
			and kind in ('stack', 'open_vault');
		-- A concurrent build may have recorded one since: that is deleted, too.
		insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
			last_valid_block_height, built_slot, lock_days, apy_bps, staked_at, yield, yield_day, created_at, due_at)
		values (_id, _owner, _kind, 'open', _key_version, _signing, _transaction, _message,
			_last_valid_block_height, _built_slot, _lock_days, _apy_bps, _staked_at, _yield,
			case _signing when 'service_first' then _yield_day end, _now,
			case _signing when 'service_first' then first_check(_now) end)
		on conflict do nothing;
		exit when found or exists (select from vault_intents where id = _id);
	end loop;
	insert into vault_intent_legs (intent_id, address, amount, balance_before)
	values (_id, _address, _principal, 0);
	return next;
end $$;
