-- Ends a delivered or disputed job: the hirer by `approve`, the agent's owner by `concede`, its judge by
-- `judge` with what the agent gets. Of grants only the one that posted or accepted the job may, and none may
-- judge. A side never judges. `_is_judge` says whether the wallet is a judge of the deployment. The same
-- decision again changes nothing.
-- outcome: recorded | recorded_before | job_not_found | not_allowed | foreign_job | amount_too_high | due | job_changed | deadline_passed
-- optional: grant, amount, reason
create function decide_job(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _grant uuid, _is_judge boolean, _act text, _amount bigint, _reason text, _now timestamptz)
returns table (outcome text, to_notify text[])
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
	_role := case
		when _wallet = job.hirer then 'hirer'
		when _wallet = job.owner then 'agent'
		when _wallet = job.judge or job.judge = 'deployment' and _is_judge then 'judge' end;
	after := job_next(job, _act, _role, _amount, _now);
	outcome := case
		when _role is null then 'job_not_found'
		when (_act, _role) not in (('approve', 'hirer'), ('concede', 'agent'), ('judge', 'judge')) then 'not_allowed'
		when _grant is not null and _grant is distinct from
			case _role when 'hirer' then job.hirer_grant when 'agent' then job.owner_grant end then 'foreign_job'
		when _act = 'judge' and _amount > job.price then 'amount_too_high'
		when (_act, job.end_reason) in (('approve', 'approved'), ('concede', 'conceded')) then 'recorded_before'
		when (_act, job.end_reason, _amount) = ('judge', 'judged', job.agent_amount) then 'recorded_before'
		when after.id is null then job_rejection(job, _act, _now)
		else 'recorded' end;
	if outcome = 'recorded' then
		_to_notify := record_job(after, _now);
		if _act = 'judge' and _reason is not null then
			insert into job_texts (job_id, kind, text, created_at) values (job.id, 'verdict', _reason, _now);
		end if;
	end if;
	return query select outcome, _to_notify;
end $$;
