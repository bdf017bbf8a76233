-- Ends built transactions of the vault that were not signed by their deadline (built at `_built_by` or
-- before), oldest first, and frees the positions of their claims. Skips rows that another transaction has
-- locked; the next run takes them.
create function expire_unsigned_vault_intents(_built_by timestamptz, _limit integer, _now timestamptz)
returns table (expired integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_ids uuid[];
begin
	_ids := array(select id from vault_intents
		where status = 'open' and signing = 'wallet_first' and cosigned_at is null and created_at <= _built_by
		order by created_at limit _limit for update skip locked);
	perform free_claimed(_ids);
	update vault_intents set status = 'expired', resolved_at = _now where id = any (_ids);
	return query select cardinality(_ids);
end $$;
