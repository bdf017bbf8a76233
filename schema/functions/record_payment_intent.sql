-- Records a built transaction that its wallet signs alone (`open_collector`, `fund_budget`,
-- `withdraw_budget`), or that buys credit (`buy_credit`). It replaces an unsigned one: on the same hire's
-- budget account, of the same key version's payout account, or of the wallet's purchase. The replaced one is
-- deleted unless the relay signs it meanwhile. A transaction on a hire's budget account fails if the
-- account's address is not `_address_before` any more, since the state was read at that address. A
-- transaction that needs no tokens (`_address_hash`) counts per client address and hour.
-- outcome: recorded | account_moved | too_many_builds
-- optional: hire_id, address, seed, address_before, amount, payable_before, credit, address_hash, builds_per_address
create function record_payment_intent(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _kind text, _key_version smallint, _transaction text,
	_message text, _last_valid_block_height bigint, _built_slot bigint, _hire_id uuid, _address text, _seed text,
	_address_before text, _amount bigint, _payable_before bigint, _credit bigint, _address_hash text, _builds_per_address integer,
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	account budget_accounts;
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into account from budget_accounts where hire_id = _hire_id for no key update;
	outcome := case
		when account.address <> _address_before then 'account_moved'
		when _address_hash is not null and not count_by_address(_address_hash, 'hour', _builds_per_address, _now)
			then 'too_many_builds'
		else 'recorded' end;
	if outcome = 'recorded' then
		loop
			if _hire_id is not null then
				delete from payment_intents where hire_id = _hire_id and status = 'open' and cosigned_at is null;
			elsif _kind = 'buy_credit' then
				delete from payment_intents
				where wallet = _wallet and kind = 'buy_credit' and status = 'open' and cosigned_at is null;
			else
				delete from payment_intents
				where wallet = _wallet and generation = _key_version and kind = 'open_collector'
					and status = 'open' and cosigned_at is null;
			end if;
			-- A concurrent build may have recorded one since: that is deleted, too.
			insert into payment_intents (id, wallet, kind, status, generation, hire_id, credit, transaction,
				message, last_valid_block_height, built_slot, created_at, asked_at)
			values (_id, _wallet, _kind, 'open', _key_version, _hire_id, _credit, _transaction, _message,
				_last_valid_block_height, _built_slot, _now, 'epoch')
			on conflict do nothing;
			exit when found or exists (select from payment_intents where id = _id);
		end loop;
		if _hire_id is not null then
			insert into payment_intent_legs (intent_id, hire_id, address, seed, amount, payable_before, fee)
			values (_id, _hire_id, _address, _seed, _amount, _payable_before, 0);
		end if;
	end if;
	return next;
end $$;
