-- Records budget accounts that were found on the chain, funded and with the owner's payout account as
-- delegate, without a funding through the relay. Each list has an entry for each account. A hire's unsigned
-- funding has landed if more can be collected from the account than at its build, and no funding sent by
-- the relay since then explains it. Also returns the hires whose accounts are recorded at these addresses
-- now.
create function record_found_budgets(_hire_ids uuid[], _addresses text[], _seeds text[], _key_versions smallint[],
	_payables bigint[], _now timestamptz)
returns table (recorded uuid[], to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	found_account record;
	intent payment_intents;
	_payable_before bigint;
begin
	to_notify := '{}';
	perform from agents where id in (select agent_id from hires where hires.id = any (_hire_ids)) order by id for no key update;
	perform from hires where id = any (_hire_ids) order by id for no key update;
	perform from budget_accounts where hire_id = any (_hire_ids) order by hire_id for no key update;
	for found_account in
		select found.*, wallet as hirer, pubkey as owner, agent_id
		from unnest(_hire_ids, _addresses, _seeds, _key_versions, _payables)
				as found (hire_id, address, seed, generation, payable)
			join hires on hires.id = found.hire_id join agents on agents.id = agent_id
		order by found.hire_id
	loop
		-- Locks the transaction before the account's row, in the relay's order.
		select payment_intents.* into intent from payment_intents
			join payment_intent_legs as leg on intent_id = payment_intents.id
		where payment_intents.wallet = found_account.hirer and kind = 'fund_budget' and status = 'open'
			and cosigned_at is null and payment_intents.hire_id = found_account.hire_id
			and leg.address = found_account.address and payable_before < found_account.payable
			and not exists (
				select from payment_intents as other
				where other.hire_id = found_account.hire_id and other.kind = 'fund_budget' and other.cosigned_at is not null
					and (other.status = 'open' or other.resolved_at >= payment_intents.created_at))
		for update of payment_intents;
		insert into budget_accounts (hire_id, hirer, owner, agent_id, address, seed, generation, looked_at)
		values (found_account.hire_id, found_account.hirer, found_account.owner, found_account.agent_id,
			found_account.address, found_account.seed, found_account.generation, 'epoch')
		on conflict (hire_id) do nothing;
		if not found and intent.id is null then
			-- After a restore a row may lack the fact that its account approves a payout account again.
			update budget_accounts set generation = least(generation, found_account.generation)
			where hire_id = found_account.hire_id and address = found_account.address;
			continue;
		end if;

		update budget_accounts set address = found_account.address, seed = found_account.seed,
			generation = least(generation, found_account.generation)
		where hire_id = found_account.hire_id;
		update payment_intents set status = 'landed', resolved_at = _now where id = intent.id;
		select payable_before into _payable_before from payment_intent_legs where intent_id = intent.id;
		update hires set seek_at = null where id = found_account.hire_id and seek_at is not null;
		to_notify := to_notify || publish_event('budget.funded', _now, _now, found_account.owner, found_account.hirer,
			found_account.agent_id, json_build_object(
				'hireId', found_account.hire_id,
				'agentId', found_account.agent_id,
				'owner', found_account.owner,
				'hirer', found_account.hirer,
				'transactionId', intent.id,
				'address', found_account.address,
				'amount', found_account.payable - coalesce(_payable_before, 0)));
	end loop;
	recorded := array(select hire_id from budget_accounts
		where (hire_id, address) in (select * from unnest(_hire_ids, _addresses)));
	return next;
end $$;
