-- Adds bought credit to its owner's, once for each purchase.
-- outcome: credited | credited_before
create function record_credit(_id uuid, _owner text, _amount bigint, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	insert into credit_purchases (id, owner, amount, created_at) values (_id, _owner, _amount, _now)
	on conflict (id) do nothing;
	if not found then
		return query select 'credited_before';
		return;
	end if;
	insert into credits (owner, balance) values (_owner, _amount)
	on conflict (owner) do update set balance = credits.balance + excluded.balance;
	return query select 'credited';
end $$;
