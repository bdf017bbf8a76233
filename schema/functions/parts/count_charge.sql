-- Counts a new charge for its owner's UTC day and for the owner's unpaid charges. CHECK constraints of
-- wallet_quotas limit both.
create function count_charge(_owner text, _now timestamptz) returns void language sql as $$
	insert into wallet_quotas (wallet, charge_day, charges, unpaid_charges)
	values (_owner, (_now at time zone 'UTC')::date, 1, 1)
	on conflict (wallet) do update set
		charges = 1 + case when wallet_quotas.charge_day >= excluded.charge_day then wallet_quotas.charges else 0 end,
		charge_day = greatest(wallet_quotas.charge_day, excluded.charge_day),
		unpaid_charges = wallet_quotas.unpaid_charges + 1
$$;
