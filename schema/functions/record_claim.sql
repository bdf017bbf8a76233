-- Records a built claim if each of its positions is unchanged since it was read: the owner's, open, with
-- the same claimed yield, and without an open claim. Claims that this one replaces do not count. All
-- positions or none: a payout settled since then invalidates the whole claim. The four lists have an entry
-- for each position; `_balances` and `_claimed_before` are the inputs of the amounts. `_replaces` has open
-- claims that were unsigned when they were read. They are deleted unless they were signed since.
-- due: settlement five seconds after the authority has signed it (service_first)
-- outcome: recorded | positions_changed
create function record_claim(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _key_version smallint, _signing text, _transaction text,
	_message text, _last_valid_block_height bigint, _built_slot bigint, _addresses text[], _amounts bigint[],
	_balances bigint[], _claimed_before bigint[], _replaces uuid[], _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_replaced uuid[];
	_unchanged integer;
begin
	perform assert_session(_session_wallet, _session_generation);
	perform from vaults where owner = _owner for no key update;
	_replaced := lock_unsigned(_replaces, _owner);
	-- Also locks the positions of deleted claims, in the one order that settlements and observations use.
	perform from positions
	where address = any (_addresses || array(select address from vault_intent_legs where intent_id = any (_replaced)))
	order by address for update;
	-- All conditions are in the filter: in the query, Postgres would search by `owner` instead of the
	-- addresses.
	select count(*) filter (where owner = _owner and status = 'open' and claimed = claimed_before
		and (open_claim is null or open_claim = any (_replaced))) into _unchanged
	from unnest(_addresses, _claimed_before) as due (address, claimed_before) join positions using (address);
	if _unchanged < cardinality(_addresses) then
		return query select 'positions_changed';
		return;
	end if;

	perform free_claimed(_replaced);
	delete from vault_intents where id = any (_replaced);
	insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
		last_valid_block_height, built_slot, created_at, due_at)
	values (_id, _owner, 'claim', 'open', _key_version, _signing, _transaction, _message,
		_last_valid_block_height, _built_slot, _now, case _signing when 'service_first' then first_check(_now) end);
	insert into vault_intent_legs (intent_id, address, amount, balance_before)
	select _id, address, amount, balance
	from unnest(_addresses, _amounts, _balances) as due (address, amount, balance);
	update positions set open_claim = _id where address = any (_addresses);
	return query select 'recorded';
end $$;
