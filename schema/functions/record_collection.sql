-- Records a built collection and its charges, if each is unchanged since it was read: the owner's,
-- recorded, and in no collection except the owner's unsigned one. All charges or none. The unsigned one is
-- deleted unless the relay signs it meanwhile: an owner has at most one. `charges_changed` also writes: it
-- notes the reads of the accounts of `_seen_hires`, so that others come first next time, and deletes the
-- unsigned collection, which frees its charges. `_hires`, `_addresses`, `_amounts` and `_fees` have an
-- entry for each paying account.
-- outcome: recorded | charges_changed
create function record_collection(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _key_version smallint, _transaction text, _message text,
	_last_valid_block_height bigint, _built_slot bigint, _fee_bps smallint, _charges uuid[], _hires uuid[],
	_addresses text[], _amounts bigint[], _fees bigint[], _seen_hires uuid[], _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_replaced uuid[];
begin
	perform assert_session(_session_wallet, _session_generation);
	-- Serializes the owner's collections.
	perform from budget_accounts where hire_id = any (_seen_hires) order by hire_id for no key update;
	update budget_accounts set looked_at = _now where hire_id = any (_seen_hires);

	-- The relay locks the same row, so a collection taken here is not signed afterwards.
	_replaced := array(select id from payment_intents
		where wallet = _wallet and kind = 'collect' and status = 'open' and cosigned_at is null for update);
	perform from charges
	where id in (
		select unnest(_charges) union select held.id from charges as held where held.collection_id = any (_replaced))
	order by id for update;
	outcome := case
		when cardinality(_charges) = (
			select count(*) filter (where owner = _wallet and status = 'recorded'
				and (collection_id is null or collection_id = any (_replaced)))
			from charges where id = any (_charges))
			-- hold_collection may have held the hires since they were read.
			and not exists (select from budget_accounts where hire_id = any (_hires) and held_at is not null)
		then 'recorded'
		else 'charges_changed' end;
	update charges set collection_id = null where collection_id = any (_replaced) and status = 'recorded';
	delete from payment_intents where id = any (_replaced);

	if outcome = 'recorded' then
		insert into payment_intents (id, wallet, kind, status, generation, fee_bps, transaction, message,
			last_valid_block_height, built_slot, created_at, asked_at)
		values (_id, _wallet, 'collect', 'open', _key_version, _fee_bps, _transaction, _message,
			_last_valid_block_height, _built_slot, _now, 'epoch')
		on conflict do nothing;
		if not found then
			-- A concurrent build has recorded one.
			outcome := 'charges_changed';
			return next;
			return;
		end if;
		insert into payment_intent_legs (intent_id, hire_id, address, amount, fee)
		select _id, hire_id, address, amount, fee
		from unnest(_hires, _addresses, _amounts, _fees) as leg (hire_id, address, amount, fee);
		update charges set collection_id = _id where id = any (_charges);
	end if;
	return next;
end $$;
