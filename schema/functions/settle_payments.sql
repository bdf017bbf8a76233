-- Records the outcomes on the chain (`landed`, `expired` or `failed`) of built transactions of payments,
-- each once, and publishes their events. Bought credit is added to credits. The four lists have an entry
-- for each transaction. A transaction is settled only if it is open and still has the signature and last
-- block of the check (an empty signature while unsigned). The charges of a collection that has not landed
-- are due again. A transaction of jobs that was over has landed if it is found later. A call has outcomes of
-- jobs or of others, since both lock quotas.
create function settle_payments(_ids uuid[], _network_signatures text[], _last_valid_block_heights bigint[],
	_outcomes text[], _fee_step bigint, _now timestamptz)
returns table (to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_over uuid[];
	_of_jobs uuid[];
	_collections uuid[];
	_budgets uuid[];
	_purchases uuid[];
	_ended uuid[];
begin
	-- All functions that settle, collect or sign use one order: agents, jobs, budget accounts, transactions,
	-- charges, owners. They lock all rows of each before the next, so that no two calls deadlock.
	perform from agents
	where id in (
		select agent_id from unnest(_ids, _outcomes) as judged (id, outcome)
			join payment_intent_legs on intent_id = judged.id
			join budget_accounts on budget_accounts.hire_id = payment_intent_legs.hire_id
		where outcome = 'landed'
		union all
		select agent_id from payment_intent_jobs join jobs on jobs.id = job_id where intent_id = any (_ids))
	order by id for no key update;
	perform lock_jobs(_ids);
	perform lock_paying_accounts(_ids);
	perform from payment_intents where id = any (_ids) order by id for update;
	_over := array(select id from payment_intents where id = any (_ids) and status <> 'open');

	with settled as (
		update payment_intents set status = outcome, resolved_at = _now,
			credited_at = case when outcome = 'landed' and kind = 'buy_credit' then _now end,
			jobs_settled_at = case when kind in ('fund_job', 'refund_job', 'collect_jobs') and cosigned_at is not null then _now end,
			reason = case outcome when 'failed' then 'failed_on_chain' end
		from unnest(_ids, _network_signatures, _last_valid_block_heights, _outcomes)
			as judged (judged_id, signature, last_block, outcome)
		where id = judged_id and coalesce(network_signature, '') = signature and last_valid_block_height = last_block
			and (status = 'open' or status <> 'landed' and outcome = 'landed' and jobs_settled_at is not null)
		returning id, kind, status)
	select array_agg(id) filter (where status = 'landed' and kind = 'collect'),
		array_agg(id) filter (where status = 'landed' and kind in ('fund_budget', 'withdraw_budget')),
		array_agg(id) filter (where status = 'landed' and kind = 'buy_credit'),
		array_agg(id) filter (where status <> 'landed'),
		array_agg(id) filter (where kind in ('fund_job', 'refund_job', 'collect_jobs', 'close_escrows'))
	into _collections, _budgets, _purchases, _ended, _of_jobs from settled;
	perform from charges where collection_id = any (_collections || _ended) and status = 'recorded'
	order by id for update;

	to_notify := '{}';
	-- Credits before quotas, in the order of payments for requests.
	if _purchases is not null then
		to_notify := land_purchases(_purchases, _now);
	end if;
	if _collections is not null then
		to_notify := to_notify || land_collections(_collections, _fee_step, _now);
	end if;
	if _budgets is not null then
		to_notify := to_notify || land_budgets(_budgets, _now);
	end if;
	if _of_jobs is not null then
		to_notify := to_notify || land_jobs(
			array(select id from payment_intents where id = any (_of_jobs) and status = 'landed'), _over,
			array(select id from payment_intents where id = any (_of_jobs) and status <> 'landed'), _fee_step, _now);
	end if;
	if _ended is not null then
		-- One account that can't pay makes the whole collection fail, so each is collected alone then.
		update budget_accounts set failed_at = _now
		where hire_id in (
			select leg.hire_id from payment_intents join payment_intent_legs as leg on intent_id = payment_intents.id
			where payment_intents.id = any (_ended) and payment_intents.status = 'failed' and exists (
				select from charges where collection_id = payment_intents.id and charges.status = 'recorded'));
		update charges set collection_id = null where collection_id = any (_ended) and status = 'recorded';
	end if;
	return next;
end $$;
