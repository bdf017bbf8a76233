-- Records a landed collection whose paid charges the database has lost, and holds its hires for an
-- operator, after a restore. Nothing is collected for a held hire until the operator has named its paid
-- charges (settle_held) and released it. Unsigned collections of these hires are deleted, and their charges
-- freed. The five lists have an entry for each budget account.
-- outcome: held | over
create function hold_collection(_id uuid, _wallet text, _key_version smallint, _fee_bps smallint,
	_transaction text, _message text, _cosigned_message text, _network_signature text, _slot bigint,
	_landed_at timestamptz, _hires uuid[], _addresses text[], _seeds text[], _amounts bigint[], _fees bigint[],
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_unsigned uuid[];
begin
	insert into budget_accounts (hire_id, hirer, owner, agent_id, address, seed, generation, looked_at)
	select hires.id, hires.wallet, agents.pubkey, agents.id, paying.address, paying.seed, _key_version, 'epoch'
	from unnest(_hires, _addresses, _seeds) as paying (hire_id, address, seed)
		join hires on hires.id = paying.hire_id join agents on agents.id = hires.agent_id
	order by hires.id
	on conflict do nothing;
	perform from budget_accounts where hire_id = any (_hires) order by hire_id for no key update;
	_unsigned := array(
		select payment_intents.id from payment_intents join payment_intent_legs as leg on intent_id = payment_intents.id
		where wallet = _wallet and kind = 'collect' and status = 'open' and cosigned_at is null
			and leg.hire_id = any (_hires) and payment_intents.id <> _id);
	perform from payment_intents where id = any (_unsigned || _id) order by id for update;
	insert into payment_intents (id, wallet, kind, status, generation, fee_bps, transaction, message,
		last_valid_block_height, built_slot, created_at, cosigned_message, network_signature, cosigned_at, asked_at,
		resolved_at)
	values (_id, _wallet, 'collect', 'landed', _key_version, _fee_bps, _transaction, _message, 0, _slot, _landed_at,
		_cosigned_message, _network_signature, _landed_at, _now, _now)
	on conflict (id) do update set status = 'landed', reason = null, cosigned_message = _cosigned_message,
		network_signature = _network_signature, cosigned_at = _landed_at, resolved_at = _now
	where payment_intents.status <> 'landed';
	outcome := case when found then 'held' else 'over' end;
	if outcome = 'held' then
		insert into payment_intent_legs (intent_id, hire_id, address, amount, fee)
		select _id, hire_id, address, amount, fee
		from unnest(_hires, _addresses, _amounts, _fees) as leg (hire_id, address, amount, fee)
		on conflict do nothing;
		update budget_accounts set held_at = _now where hire_id = any (_hires);
		perform from charges where collection_id = any (_unsigned) order by id for update;
		update charges set collection_id = null where collection_id = any (_unsigned) and status = 'recorded';
		delete from payment_intents where id = any (_unsigned) and cosigned_at is null;
	end if;
	return next;
end $$;
