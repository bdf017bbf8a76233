-- Adds calls beyond an address's limits, bought by protocol fees, for the owner and the payer of each
-- payment: one billionth for each billionth of a step. A payment to oneself adds none. Locks the
-- quotas of all these wallets in order, before the caller locks any other sums of a payment.
create function add_paid_calls(_owners text[], _payers text[], _fees bigint[], _fee_step bigint)
returns void language sql as $$
	insert into wallet_quotas (wallet, paid_room)
	select wallet, sum(case when owner <> payer then div(fee::numeric * 1000000000, _fee_step) else 0 end)::bigint
	from unnest(_owners, _payers, _fees) as one (owner, payer, fee),
		lateral (values (owner), (payer)) as side (wallet)
	group by wallet order by wallet
	on conflict (wallet) do update set paid_room = wallet_quotas.paid_room + excluded.paid_room
$$;
