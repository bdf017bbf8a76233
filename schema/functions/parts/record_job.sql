-- Writes a job as job_next has computed it.
create function record_job(_job jobs) returns void language sql as $$
	update jobs set status = _job.status, due_at = _job.due_at, counted_at = _job.counted_at, is_funding = _job.is_funding,
		accepted_at = _job.accepted_at, owner_grant = _job.owner_grant, key_version = _job.key_version,
		funded_at = _job.funded_at, delivered_at = _job.delivered_at, delivery_hash = _job.delivery_hash,
		disputed_at = _job.disputed_at, ended_at = _job.ended_at, end_reason = _job.end_reason,
		hirer_proposal = _job.hirer_proposal, owner_proposal = _job.owner_proposal,
		agent_amount = _job.agent_amount, hirer_amount = _job.hirer_amount,
		address_hash = _job.address_hash, forget_at = _job.forget_at
	where id = _job.id
$$;
