-- Records the hirer's objection to a delivery, with its reason. Of grants only the one that posted the job
-- may. The same objection again changes nothing.
-- due: deadlines at due_at
-- outcome: recorded | recorded_before | job_not_found | not_allowed | foreign_job | due | job_changed | deadline_passed
-- optional: grant
-- nullable: due_at
create function object_job(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _grant uuid, _reason text, _now timestamptz)
returns table (outcome text, due_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	job jobs;
	after jobs;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	job := lock_job(_id);
	after := job_next(job, 'object', 'hirer', null, _now);
	outcome := case
		when job.id is null or _wallet not in (job.owner, job.hirer) then 'job_not_found'
		when _wallet <> job.hirer then 'not_allowed'
		when _grant is not null and _grant is distinct from job.hirer_grant then 'foreign_job'
		when exists (select from job_texts where job_id = job.id and kind = 'objection' and text = _reason) then 'recorded_before'
		when after.id is null then job_rejection(job, 'object', _now)
		else 'recorded' end;
	if outcome = 'recorded' then
		_to_notify := record_job(after, _now);
		insert into job_texts (job_id, kind, text, created_at) values (job.id, 'objection', _reason, _now);
		job := after;
	end if;
	return query select outcome, job.due_at, _to_notify;
end $$;
