-- Records that a built transaction of the vault has landed, once, and publishes its event. A stack opens
-- its position, even if it was considered expired (job-run.ts). A claim counts as paid and frees its
-- positions. An unstack closes its position. Every unstack of a position that is gone counts as landed, no
-- matter which one emptied it. `_addresses` and `_balances` have the balances of the intent's accounts at
-- `_slot`.
-- outcome: landed | over
create function land_vault_intent(_id uuid, _owner text, _addresses text[], _balances bigint[], _slot bigint,
	_now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	intent vault_intents;
	stake positions;
	_position_id integer;
	_amount bigint;
	_paid json;
	_to_notify text[] := '{}';
begin
	-- Every function that builds, cosigns or settles an owner's intents locks the owner's row first.
	perform from vaults where owner = _owner for no key update;
	select * into intent from vault_intents where id = _id for update;
	outcome := case
		when intent.status = 'open' or intent.status = 'expired' and intent.kind = 'stack' then 'landed'
		else 'over' end;
	if outcome = 'landed' then
		update vault_intents set status = 'landed', resolved_at = _now where id = intent.id;

		if intent.kind = 'stack' then
			update vaults set next_position_id = next_position_id + 1 where owner = intent.owner
			returning next_position_id - 1 into _position_id;
			insert into positions (owner, id, address, generation, principal, lock_days, apy_bps, staked_at,
				escrowed, seen_slot, seen_at)
			select intent.owner, _position_id, address, intent.generation, amount, intent.lock_days, intent.apy_bps,
				intent.staked_at, coalesce(_balances[1], 0), _slot, _now
			from vault_intent_legs where intent_id = intent.id
			returning * into stake;
			_to_notify := publish_event('vault.position_opened', _now, stake.staked_at, stake.owner, null, null, json_build_object(
				'owner', stake.owner,
				'positionId', stake.id,
				'address', stake.address,
				'amount', stake.principal,
				'lockDays', stake.lock_days,
				'apyBps', stake.apy_bps,
				'stakedAt', wire_time(stake.staked_at),
				'unlocksAt', wire_time(stake.staked_at + make_interval(secs => stake.lock_days * 86400))));

		elsif intent.kind = 'claim' then
			-- In the order of their addresses, as claims and observations lock them.
			perform from positions where address = any (_addresses) order by address for update;
			with paid as (
				update positions set claimed = claimed + amount, open_claim = null, seen_slot = _slot,
					-- After an early payout, a loss that the claim does not explain must be visible as the
					-- next early payout.
					escrowed = case when early = 'confirmed' then greatest(balance, escrowed - amount) else balance end
				from vault_intent_legs as leg
					join unnest(_addresses, _balances) as seen (address, balance) on seen.address = leg.address
				where leg.intent_id = intent.id and positions.address = leg.address
				returning positions.id, amount)
			select sum(amount), json_agg(json_build_object('positionId', id, 'amount', amount) order by id)
			into _amount, _paid from paid;
			if _paid is not null then
				_to_notify := publish_event('vault.yield_claimed', _now, _now, intent.owner, null, null, json_build_object(
					'owner', intent.owner,
					'transactionId', intent.id,
					'amount', _amount,
					'positions', _paid));
			end if;

		elsif intent.kind = 'unstack' then
			for stake in
				update positions set status = 'withdrawn', withdrawn_at = _now, escrowed = 0
				from vault_intent_legs as leg
				where leg.intent_id = intent.id and positions.address = leg.address and status = 'open'
				returning positions.*
			loop
				_to_notify := _to_notify || publish_position_closed(stake, _now);
			end loop;
		end if;

		if intent.kind in ('stack', 'open_vault') then
			perform settle_stack(intent, true);
		end if;
	end if;
	return query select outcome, _to_notify;
end $$;
