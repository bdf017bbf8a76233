-- Deletes up to `_limit` ended jobs that were never funded, and the texts of funded ones, from `forget_at`
-- on. Skips rows that another transaction has locked; the next call takes them.
create function delete_ended_jobs(_now timestamptz, _limit integer)
returns table (deleted integer, emptied integer)
language plpgsql security definer set search_path from current as $$
declare
	_ids uuid[];
begin
	_ids := array(select id from jobs where forget_at <= _now order by forget_at limit _limit for update skip locked);
	delete from job_texts where job_id = any (_ids);
	-- A job with a funding that was confirmed too late shows its hirer the way to the money.
	delete from jobs where id = any (_ids) and funded_at is null
		and not exists (select from payment_intent_jobs where job_id = jobs.id and stray_at is not null);
	get diagnostics deleted = row_count;
	update jobs set forget_at = null where id = any (_ids);
	get diagnostics emptied = row_count;
	return next;
end $$;
