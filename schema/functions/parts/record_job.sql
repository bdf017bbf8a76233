-- Writes a job as job_next has computed it, and publishes the change: a new state, or a deadline that moved.
-- Returns the endpoints and wallets to notify. The caller has locked the agent, then the job.
create function record_job(_job jobs, _now timestamptz) returns text[] language plpgsql as $$
declare
	before jobs;
	_type text;
	_to_notify text[] := '{}';
begin
	select * into before from jobs where id = _job.id;
	update jobs set status = _job.status, due_at = _job.due_at, counted_at = _job.counted_at, is_funding = _job.is_funding,
		accepted_at = _job.accepted_at, owner_grant = _job.owner_grant, key_version = _job.key_version,
		funded_at = _job.funded_at, delivered_at = _job.delivered_at, delivery_hash = _job.delivery_hash,
		disputed_at = _job.disputed_at, ended_at = _job.ended_at, end_reason = _job.end_reason,
		hirer_proposal = _job.hirer_proposal, owner_proposal = _job.owner_proposal,
		agent_amount = _job.agent_amount, hirer_amount = _job.hirer_amount,
		address_hash = _job.address_hash, forget_at = _job.forget_at
	where id = _job.id;
	_type := case
		when _job.status in ('completed', 'rejected', 'expired') and before.ended_at is null then 'job.ended'
		when _job.status <> before.status then 'job.' || _job.status
		when _job.due_at <> before.due_at then 'job.extended' end;
	if _type is not null then
		_to_notify := publish_event(_type, _now, coalesce(_job.ended_at, _now), _job.owner, _job.hirer, _job.agent_id, job_data(_job));
	end if;
	if _type = 'job.disputed' and _job.judge not in ('deployment', 'none') then
		_to_notify := _to_notify || publish_event('job.verdict_requested', _now, _now, _job.judge, null, null, job_data(_job));
	end if;
	return _to_notify;
end $$;
