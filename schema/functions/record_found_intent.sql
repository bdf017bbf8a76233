-- Records a landed transaction of the vault that the database has lost, and its effects: for an operator,
-- after a restore. A known but unsigned one counts as signed from now on. The limits do not apply: a stack
-- is recorded as one that was considered expired. A position has at most one open claim, so any other claim
-- of its positions has ended without effect before this one was built. It landed at `_slot` and
-- `_landed_at`; `_balances` has the balances of its positions at `_seen_slot`.
-- outcome: landed | over
-- optional: lock_days, apy_bps, staked_at, yield
create function record_found_intent(_id uuid, _owner text, _kind text, _key_version smallint, _transaction text,
	_message text, _cosigned_message text, _network_signature text, _slot bigint, _landed_at timestamptz,
	_lock_days smallint, _apy_bps smallint, _staked_at timestamptz, _yield bigint, _addresses text[],
	_amounts bigint[], _balances bigint[], _seen_slot bigint, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_yield_day constant date := (_staked_at at time zone 'UTC')::date;
	_ended uuid[];
begin
	insert into vaults (owner, settled_at) values (_owner, _now) on conflict do nothing;
	perform from vaults where owner = _owner for no key update;
	perform from vault_intents where id = _id for update;
	outcome := case when exists (
			select from vault_intents where id = _id and (status = 'landed' or status <> 'open' and kind <> 'stack'))
		then 'over' else 'landed' end;
	if outcome = 'over' then
		to_notify := '{}';
		return next;
		return;
	end if;
	update vault_intents set status = case kind when 'stack' then 'expired' else status end,
		cosigned_message = _cosigned_message, network_signature = _network_signature, cosigned_at = _landed_at,
		yield_day = _yield_day
	where id = _id and status = 'open' and signing = 'wallet_first' and cosigned_at is null;
	insert into vault_intents (id, owner, kind, status, generation, signing, transaction, message,
		last_valid_block_height, cosigned_message, network_signature, cosigned_at, built_slot, created_at,
		lock_days, apy_bps, staked_at, yield, yield_day)
	values (_id, _owner, _kind, case _kind when 'stack' then 'expired' else 'open' end, _key_version, 'wallet_first',
		_transaction, _message, 0, _cosigned_message, _network_signature, _landed_at, _slot, _landed_at,
		_lock_days, _apy_bps, _staked_at, _yield, _yield_day)
	on conflict do nothing;
	if found then
		insert into vault_intent_legs (intent_id, address, amount, balance_before)
		select _id, address, amount, amount from unnest(_addresses, _amounts) as leg (address, amount);
	end if;
	if _kind = 'claim' then
		_ended := array(select distinct open_claim from positions
			where address = any (_addresses) and open_claim <> _id);
		perform from vault_intents where id = any (_ended) order by id for update;
		update vault_intents set status = 'expired', resolved_at = _now where id = any (_ended) and status = 'open';
		perform free_claimed(_ended);
	end if;
	return query select landed.outcome, landed.to_notify
		from land_vault_intent(_id, _owner, _addresses, _balances, _seen_slot, _now) as landed;
end $$;
