-- Makes other payments of these wallets wait until the transaction ends. It uses advisory locks in the
-- order of their keys, since a wallet that never paid has no row, and a rejected payment creates none.
create function lock_payers(_payers text[]) returns void language sql as $$
	select pg_advisory_xact_lock(key)
	from (select distinct hashtextextended(payer, 402) as key from unnest(_payers) as payer order by key) as keys
$$;
