-- Whether a wallet may offer one more agent, or name one more agent endpoint, from a client's address in this
-- hour; counts it if so. Wallets that have ever paid for an agent are not limited: they are not free.
create function is_within_agents(_wallet text, _address_hash text, _limit integer, _now timestamptz)
returns boolean language sql as $$
	select exists (select from standings where wallet = _wallet and paid_weight > 0)
		or count_by_address(_address_hash, 'hour', _limit, _now)
$$;
