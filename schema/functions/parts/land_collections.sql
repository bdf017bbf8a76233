-- Records that collections have landed. Their charges are collected, each with its part of the protocol
-- fee, and count for reputations; the owners get back their quota slots. The fee of an account is rounded
-- up once. A charge's part is the growth of the fee by that charge, one after the other, so the parts sum
-- up to the fee. The caller has locked agents, budget accounts, collections and charges. Returns the
-- endpoints and wallets to notify.
create function land_collections(_intent_ids uuid[], _fee_step bigint, _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	charge charges;
	_collected charges[];
	_to_notify text[] := '{}';
begin
	-- Each of these accounts has paid, so it need not be collected alone any more.
	update budget_accounts set failed_at = null
	where hire_id in (select leg.hire_id from payment_intent_legs as leg where intent_id = any (_intent_ids));
	with part as (
		select charges.id as charge_id,
			protocol_fee(sum(amount) over up_to_it, fee_bps)
				- protocol_fee(sum(amount) over up_to_it - amount, fee_bps) as part_fee
		from charges join payment_intents on payment_intents.id = collection_id
		where collection_id = any (_intent_ids) and charges.status = 'recorded'
		window up_to_it as (partition by collection_id, charges.hire_id order by charges.id)),
	collected as (
		update charges set status = 'collected', collected_at = _now, fee = part_fee
		from part where id = charge_id
		returning charges as row)
	select coalesce(array_agg(row order by (row).id), '{}') into _collected from collected;
	-- A hire that was already over has the same end.
	update hires set paid_at = _now from agents
	where agents.id = agent_id and hires.id in (select hire_id from unnest(_collected))
		and (hire_at(hires, agents, _now)).status = 'active';
	foreach charge in array _collected loop
		_to_notify := _to_notify || publish_event('charge.collected', _now, _now, charge.owner, charge.hirer, charge.agent_id,
			charge_data(charge));
	end loop;
	perform add_paid_calls(array_agg(owner), array_agg(hirer), array_agg(fee), _fee_step) from unnest(_collected);
	perform release_charges(array(select owner from unnest(_collected)), 2);
	perform record_paid(_collected, _fee_step, _now);
	return _to_notify;
end $$;
