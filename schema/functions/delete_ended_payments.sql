-- Deletes built transactions of payments that expired or failed and were built before `_before`, the
-- oldest first, with their legs; only unsigned ones unless `_were_signed`.
create function delete_ended_payments(_before timestamptz, _were_signed boolean, _limit integer)
returns table (deleted integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_ids uuid[];
begin
	_ids := array(select id from payment_intents
		where status in ('expired', 'failed') and created_at < _before and (_were_signed or cosigned_at is null)
		order by created_at limit _limit for update skip locked);
	delete from payment_intents where id = any (_ids);
	return query select cardinality(_ids);
end $$;
