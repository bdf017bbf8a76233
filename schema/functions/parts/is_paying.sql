-- Whether a wallet has paid protocol fees, on either side of a payment, and so has a weight in reputations.
create function is_paying(_wallet text) returns boolean language sql stable as $$
	select exists (select from standings where wallet = _wallet and (paid_weight > 0 or payers_weight > 0))
$$;
