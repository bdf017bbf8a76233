-- Adds bought credit to its owner's balance, once for each purchase, and publishes it. The balance is low
-- below a fifth of its present value, as for a budget.
-- outcome: credited | credited_before
create function record_credit(_id uuid, _owner text, _amount bigint, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	part_left constant integer := 5; -- LOW_CREDIT_PART of lib/x402/rules.ts
	_balance bigint;
begin
	insert into credit_purchases (id, owner, amount, created_at) values (_id, _owner, _amount, _now)
	on conflict (id) do nothing;
	if not found then
		return query select 'credited_before', '{}'::text[];
		return;
	end if;
	insert into credits (owner, balance, low_below) values (_owner, _amount, _amount / part_left)
	on conflict (owner) do update set balance = credits.balance + excluded.balance,
		low_below = (credits.balance + excluded.balance) / part_left
	returning balance into _balance;
	return query select 'credited', publish_event('credit.bought', _now, _now, _owner, null, null, json_build_object(
		'owner', _owner,
		'transactionId', _id,
		'amount', _amount,
		'balance', _balance));
end $$;
