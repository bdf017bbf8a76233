-- Keeps other payments of these wallets waiting until the transaction ends. By advisory locks, in the order
-- of their keys: a wallet that has never paid has no row, and gets none by a payment that is refused.
create function lock_payers(_payers text[]) returns void language sql as $$
	select pg_advisory_xact_lock(key)
	from (select distinct hashtextextended(payer, 402) as key from unnest(_payers) as payer order by key) as keys
$$;
