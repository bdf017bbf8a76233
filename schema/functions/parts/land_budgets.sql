-- Records that fundings and withdrawals have landed, and the key version of the payout account that the
-- budget account may still approve. The caller has locked the agents, the budget accounts and the
-- transactions. Returns the endpoints and wallets to notify.
create function land_budgets(_intent_ids uuid[], _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	blockhash_blocks constant integer := 150; -- BLOCKHASH_BLOCKS of lib/transactions/relay/limits.ts
	intent payment_intents;
	account budget_accounts;
	leg payment_intent_legs;
	_approved smallint;
	_to_notify text[] := '{}';
begin
	for intent in select * from payment_intents where id = any (_intent_ids) order by id loop
		_approved := case intent.kind when 'fund_budget' then intent.generation end;
		-- The first one recorded may not have landed first: a funding of the same minutes may approve its
		-- own payout account.
		if exists (
			select from payment_intents as other
			where other.hire_id = intent.hire_id and other.kind = 'fund_budget' and other.cosigned_at is not null
				and other.last_valid_block_height > intent.last_valid_block_height - blockhash_blocks
				and other.status in ('open', 'landed') and other.id <> intent.id)
		then
			update budget_accounts set generation = least(generation, _approved) where hire_id = intent.hire_id
			returning * into account;
		else
			update budget_accounts set generation = _approved where hire_id = intent.hire_id returning * into account;
		end if;
		-- An account opened outside the service has no row and publishes no event.
		for leg in select * from payment_intent_legs where intent_id = intent.id and hire_id = account.hire_id loop
			_to_notify := _to_notify || publish_event(
				case intent.kind when 'fund_budget' then 'budget.funded' else 'budget.withdrawn' end,
				_now, _now, account.owner, account.hirer, account.agent_id, json_build_object(
					'hireId', account.hire_id,
					'agentId', account.agent_id,
					'owner', account.owner,
					'hirer', account.hirer,
					'transactionId', intent.id,
					'address', leg.address,
					'amount', leg.amount));
		end loop;
	end loop;
	return _to_notify;
end $$;
