-- Whether a wallet may do once more, from a client's address, what an address may do `_limit` times in an
-- hour; counts it if so. Wallets that have ever paid for an agent are not limited: they are not free. After
-- it the caller refuses only by what undoes the count.
create function is_within_hour(_wallet text, _address_hash text, _limit integer, _now timestamptz)
returns boolean language plpgsql as $$
begin
	return exists (select from standings where wallet = _wallet and paid_weight > 0)
		or count_by_address(_address_hash, 'hour', _limit, _now);
end $$;
