-- Whether a wallet may do once more, from a client's address, what an address may do `_limit` times in an
-- hour; counts it if so. Only free wallets are limited, which have never paid for an agent and were never
-- paid for one: a payment costs its protocol fee. After a count the caller refuses only by what undoes it.
create function is_within_hour(_wallet text, _address_hash text, _limit integer, _now timestamptz)
returns boolean language plpgsql as $$
begin
	return exists (select from standings where wallet = _wallet and (paid_weight > 0 or payers_weight > 0))
		or count_by_address(_address_hash, 'hour', _limit, _now);
end $$;
