-- Settles the deadline of one job that an act found `due`: moves it by the outages, or ends the job by the
-- default. The caller has the outages from the Clock, up to `_now`. Concurrent calls settle it once.
-- due: deadlines at due_at
-- outcome: settled | extended | not_due
-- nullable: due_at
create function settle_job(_id uuid, _gaps_from timestamptz[], _gaps_until timestamptz[], _now timestamptz)
returns table (outcome text, due_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	job jobs;
	_settled record;
begin
	job := lock_job(_id);
	outcome := 'not_due';
	to_notify := '{}';
	if is_job_due(job, _now) then
		_settled := settle_due_job(job, _gaps_from, _gaps_until, _now);
		job := _settled.job;
		to_notify := _settled.to_notify;
		outcome := case when job.ended_at is null then 'extended' else 'settled' end;
	end if;
	return query select outcome, job.due_at, to_notify;
end $$;
