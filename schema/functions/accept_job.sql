-- Accepts a job for the agent's owner, under the terms of `_terms_hash`. It is then funded under the newest
-- key version. Suspended agents accept none. A repeated acceptance changes nothing.
-- due: deadlines at due_at
-- outcome: recorded | recorded_before | job_not_found | not_allowed | terms_differ | not_accepting | due | job_changed | deadline_passed
-- optional: grant
-- nullable: due_at
create function accept_job(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _grant uuid, _terms_hash text, _key_version smallint, _now timestamptz)
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
	after := job_next(job, 'accept', 'agent', null, _now);
	outcome := case
		when job.id is null or _wallet not in (job.owner, job.hirer) then 'job_not_found'
		when _wallet <> job.owner then 'not_allowed'
		when _terms_hash <> job.terms_hash then 'terms_differ'
		when job.accepted_at is not null then 'recorded_before'
		when after.id is null then job_rejection(job, 'accept', _now)
		when exists (select from agents where id = job.agent_id and status = 'suspended') then 'not_accepting'
		else 'recorded' end;
	if outcome = 'recorded' then
		after.owner_grant := _grant;
		after.key_version := _key_version;
		_to_notify := record_job(after, _now);
		job := after;
	end if;
	return query select outcome, job.due_at, _to_notify;
end $$;
