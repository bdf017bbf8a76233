-- Deletes built transactions of the vault that expired or failed and were built before `_before`, the
-- oldest first, with their legs; only unsigned ones unless `_were_signed`.
create function delete_ended_vault_intents(_before timestamptz, _were_signed boolean, _limit integer)
returns table (deleted integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_ids uuid[];
begin
	-- Two statements, since each has an index of its own.
	if _were_signed then
		_ids := array(select id from vault_intents
			where status in ('expired', 'failed') and created_at < _before
			order by created_at limit _limit for update skip locked);
	else
		_ids := array(select id from vault_intents
			where status in ('expired', 'failed') and created_at < _before
				and signing = 'wallet_first' and cosigned_at is null
			order by created_at limit _limit for update skip locked);
	end if;
	delete from vault_intents where id = any (_ids);
	return query select cardinality(_ids);
end $$;
