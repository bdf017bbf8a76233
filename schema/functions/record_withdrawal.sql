-- Records a built unstack if its position is still open, or (`_kind` 'leftovers') the closing of a withdrawn
-- position's account. Any number of signed ones may be open, since only one can land. The unsigned one of
-- the same kind and position is deleted unless the relay signs it meanwhile.
-- due: settlement five seconds after the authority has signed it (service_first)
-- outcome: recorded | position_changed
create function record_withdrawal(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _kind text, _key_version smallint, _signing text,
	_transaction text, _message text, _last_valid_block_height bigint, _built_slot bigint, _address text,
	_balance bigint, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform assert_session(_session_wallet, _session_generation);
	perform from vaults where owner = _owner for no key update;
	perform from positions where address = _address and owner = _owner
		and status = case _kind when 'unstack' then 'open' else 'withdrawn' end
	for update;
	if not found then
		return query select 'position_changed';
		return;
	end if;

	delete from vault_intents
	where owner = _owner and status = 'open' and signing = 'wallet_first' and cosigned_at is null and kind = _kind
		and exists (select from vault_intent_legs where intent_id = id and address = _address);
	insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
		last_valid_block_height, built_slot, created_at, due_at)
	values (_id, _owner, _kind, 'open', _key_version, _signing, _transaction, _message,
		_last_valid_block_height, _built_slot, _now, case _signing when 'service_first' then first_check(_now) end);
	insert into vault_intent_legs (intent_id, address, amount, balance_before)
	values (_id, _address, _balance, _balance);
	return query select 'recorded';
end $$;
