-- Records what one side of a funded job proposes that the agent gets. Once both propose the same amount, the
-- job ends with it. Of grants only the one that posted or accepted the job may. The same proposal again
-- changes nothing.
-- outcome: recorded | recorded_before | job_not_found | foreign_job | amount_too_high | due | job_changed | deadline_passed
-- optional: grant
-- types: status JobStatus
-- nullable: status
create function propose_split(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _grant uuid, _amount bigint, _now timestamptz)
returns table (outcome text, status text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	job jobs;
	after jobs;
	_role text;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	job := lock_job(_id);
	_role := case _wallet when job.hirer then 'hirer' when job.owner then 'agent' end;
	after := job_next(job, 'propose', _role, _amount, _now);
	outcome := case
		when _role is null then 'job_not_found'
		when _grant is not null and _grant is distinct from
			case _role when 'hirer' then job.hirer_grant else job.owner_grant end then 'foreign_job'
		when _amount > job.price then 'amount_too_high'
		when (job.end_reason, job.agent_amount) = ('agreed', _amount) then 'recorded_before'
		when after.id is null then job_rejection(job, 'propose', _now)
		when after = job then 'recorded_before'
		else 'recorded' end;
	if outcome = 'recorded' then
		_to_notify := record_job(after, _now);
		job := after;
	end if;
	return query select outcome, case when outcome <> 'job_not_found' then job.status end, _to_notify;
end $$;
