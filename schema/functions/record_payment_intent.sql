-- Records a built transaction that its wallet signs alone (`open_collector`, `fund_budget`,
-- `withdraw_budget`). Intents that the relay has not signed, for the same hire or of the wallet's
-- collectors, end. A transaction on a hire's budget account is refused if the account has another address
-- now than `_address_before`, where it was read to be: state read of the first address says nothing of the
-- other.
-- outcome: recorded | account_moved
-- optional: hire_id, address, seed, address_before, amount, payable_before
create function record_payment_intent(_id uuid, _wallet text, _kind text, _generation smallint, _transaction text,
	_message text, _last_valid_block_height bigint, _built_slot bigint, _hire_id uuid, _address text, _seed text,
	_address_before text, _amount bigint, _payable_before bigint, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	account budget_accounts;
begin
	select * into account from budget_accounts where hire_id = _hire_id for no key update;
	outcome := case when account.address <> _address_before then 'account_moved' else 'recorded' end;
	if outcome = 'recorded' then
		update payment_intents set status = 'expired', resolved_at = _now
		where wallet = _wallet and status = 'open' and cosigned_at is null
			and (hire_id = _hire_id or kind = 'open_collector' and kind = _kind);
		insert into payment_intents (id, wallet, kind, status, generation, hire_id, transaction, message,
			last_valid_block_height, built_slot, created_at, asked_at)
		values (_id, _wallet, _kind, 'open', _generation, _hire_id, _transaction, _message,
			_last_valid_block_height, _built_slot, _now, 'epoch');
		if _hire_id is not null then
			insert into payment_intent_legs (intent_id, hire_id, address, seed, amount, payable_before, fee)
			values (_id, _hire_id, _address, _seed, _amount, _payable_before, 0);
		end if;
	end if;
	return next;
end $$;
