-- Records the delivery of a funded job, once, for the agent's owner. The same delivery again changes
-- nothing.
-- due: deadlines at due_at
-- outcome: recorded | recorded_before | job_not_found | not_allowed | due | job_changed | deadline_passed
-- nullable: due_at
create function deliver_job(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _delivery text, _now timestamptz)
returns table (outcome text, due_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	job jobs;
	after jobs;
	_hash constant text := encode(sha256(convert_to(_delivery, 'UTF8')), 'hex');
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	job := lock_job(_id);
	after := job_next(job, 'deliver', 'agent', null, _now);
	outcome := case
		when job.id is null or _wallet not in (job.owner, job.hirer) then 'job_not_found'
		when _wallet <> job.owner then 'not_allowed'
		when _hash = job.delivery_hash then 'recorded_before'
		when after.id is null then job_rejection(job, 'deliver', _now)
		else 'recorded' end;
	if outcome = 'recorded' then
		after.delivery_hash := _hash;
		_to_notify := record_job(after, _now);
		insert into job_texts (job_id, kind, text, created_at) values (job.id, 'delivery', _delivery, _now);
		job := after;
	end if;
	return query select outcome, job.due_at, _to_notify;
end $$;
