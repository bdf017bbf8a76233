-- Records the outcomes (`settled`, `failed` or `expired`) of payments for requests, each once. The lists
-- have an entry for each payment; `_slots` is for settled ones, `_payers_faults` for failed ones. An
-- expired payment returns the debit and its share of the day. A failed one has cost the network fee and
-- returns neither. Three failures caused by the payer within an hour bar it at that agent for an hour. Bars
-- at three agents bar it everywhere and reset its limit of payments in flight. Settled payments count for
-- reputations. Publishes events to both sides and returns the endpoints and wallets to notify. Locks:
-- agents, payers, credits, payments, payers' rows and failures, days, wallets' quotas, then the locks of
-- count_fees.
create function resolve_request_payments(_ids uuid[], _outcomes text[], _slots bigint[], _payers_faults boolean[],
	_fee_step bigint, _now timestamptz)
returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	max_failures constant integer := 3; -- MAX_FAILURES of lib/x402/rules.ts
	max_agents constant integer := 3; -- MAX_AGENTS
	bar constant interval := interval '1 hour'; -- BAR_MS
	payment request_payments;
	_resolved request_payments[];
	_to_notify text[] := '{}';
begin
	perform from agents where id in (select agent_id from request_payments where id = any (_ids))
	order by id for no key update;
	perform lock_payers(array(select payer from request_payments where id = any (_ids)));
	perform from credits where owner in (select owner from request_payments where id = any (_ids))
	order by owner for update;
	perform from request_payments where id = any (_ids) order by id for update;
	with resolved as (
		update request_payments set status = outcome, resolved_at = _now, due_at = null,
			landed_slot = case outcome when 'settled' then slot end,
			is_payers_fault = case outcome when 'failed' then payers_fault end
		from unnest(_ids, _outcomes, _slots, _payers_faults) as judged (judged_id, outcome, slot, payers_fault)
		where id = judged_id and status = 'pending'
		returning request_payments as row)
	select coalesce(array_agg(row order by (row).id), '{}') into _resolved from resolved;

	update credits set balance = balance + back.debit, day_fees = day_fees - back.fees
	from (
		select expired.owner, sum(debit) as debit, coalesce(sum(network_fee) filter (
			where (created_at at time zone 'UTC')::date = of_owner.day), 0) as fees
		from unnest(_resolved) as expired join credits as of_owner on of_owner.owner = expired.owner
		where status = 'expired' group by expired.owner) as back
	where credits.owner = back.owner;
	insert into request_payers (payer, settled)
	select payer, count(*) from unnest(_resolved) where status = 'settled' group by payer order by payer
	on conflict (payer) do update set settled = request_payers.settled + excluded.settled;

	-- The payers are locked, so no two calls write the same rows.
	foreach payment in array _resolved loop
		_to_notify := _to_notify || publish_request_payment(payment, _now);
		continue when not coalesce(payment.is_payers_fault, false);
		insert into payer_failures (payer, agent_id, failed_at) values (payment.payer, payment.agent_id, array[_now])
		on conflict (payer, agent_id) do update set failed_at = array(
			select at from unnest(payer_failures.failed_at || excluded.failed_at) as at order by at desc limit max_failures);
		update payer_failures set barred_until = _now + bar
		where payer = payment.payer and agent_id = payment.agent_id and cardinality(failed_at) = max_failures
			and failed_at[max_failures] > _now - bar;
		if max_agents <= (select count(*) from payer_failures where payer = payment.payer and barred_until > _now) then
			insert into request_payers (payer, settled, barred_until) values (payment.payer, 0, _now + bar)
			on conflict (payer) do update set barred_until = excluded.barred_until, settled = 0;
		end if;
	end loop;

	update request_refusals set first_at = null
	from unnest(_resolved) as settled
	where request_refusals.agent_id = settled.agent_id and settled.status = 'settled' and first_at is not null
		and last_at <= settled.created_at;
	update sponsored_days set fees = sponsored_days.fees - back.fees
	from (select (created_at at time zone 'UTC')::date as day, sum(network_fee) as fees
		from unnest(_resolved) where status = 'expired' group by 1) as back
	where sponsored_days.day = back.day;
	perform count_request_payments(array(
		select settled from unnest(_resolved) as settled where settled.status = 'settled'), _fee_step, _now);
	return _to_notify;
end $$;
