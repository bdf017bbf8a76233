-- Ends a job before its funding, for either side, or a funded one for the agent's owner, who can't do it.
-- While a funding is signed, neither side can. A repeated call changes nothing.
-- outcome: recorded | recorded_before | job_not_found | funding_open | due | job_changed | deadline_passed
create function end_job(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	job jobs;
	after jobs;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	job := lock_job(_id);
	after := job_next(job, 'end', case _wallet when job.hirer then 'hirer' else 'agent' end, null, _now);
	outcome := case
		when job.id is null or _wallet not in (job.owner, job.hirer) then 'job_not_found'
		when job.end_reason = 'withdrawn' and _wallet = job.hirer then 'recorded_before'
		when job.end_reason in ('declined', 'gave_up') and _wallet = job.owner then 'recorded_before'
		when after.id is null then job_rejection(job, 'end', _now)
		else 'recorded' end;
	if outcome = 'recorded' then
		_to_notify := record_job(after, _now);
	end if;
	return query select outcome, _to_notify;
end $$;
