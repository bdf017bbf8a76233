-- Settles the deadline of a job: moves it by the outages that began before it, and ends the job by the
-- default if it has passed nevertheless. The caller has locked the agent, then the job. Returns the job as
-- recorded, and the endpoints and wallets to notify.
create function settle_due_job(_job jobs, _gaps_from timestamptz[], _gaps_until timestamptz[], _now timestamptz,
	out job jobs, out to_notify text[])
language plpgsql as $$
declare
	_moved_to timestamptz := moved_deadline(_job.due_at, _job.counted_at, _gaps_from, _gaps_until);
	after jobs;
begin
	if _moved_to > _job.due_at then
		_job.due_at := _moved_to;
		_job.counted_at := _now;
	end if;
	after := job_next(_job, 'expire', 'service', null, _now);
	job := case when after.id is null then _job else after end;
	to_notify := record_job(job, _now);
end $$;
