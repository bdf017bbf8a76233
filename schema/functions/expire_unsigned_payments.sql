-- Ends built transactions of payments that were not signed by their deadline (built at `_built_by` or
-- before), oldest first, and frees their charges. Skips rows that another transaction has locked; the next
-- run takes them.
create function expire_unsigned_payments(_built_by timestamptz, _limit integer, _now timestamptz)
returns table (expired integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_ids uuid[];
begin
	_ids := array(select id from payment_intents
		where status = 'open' and cosigned_at is null and created_at <= _built_by
		order by created_at limit _limit for update skip locked);
	update payment_intents set status = 'expired', resolved_at = _now where id = any (_ids);
	perform from charges where collection_id = any (_ids) and status = 'recorded' order by id for update;
	update charges set collection_id = null where collection_id = any (_ids) and status = 'recorded';
	return query select cardinality(_ids);
end $$;
