-- Makes the payload of an event about a job. It has no text of the job.
create function job_data(_job jobs) returns json language sql stable as $$
	select json_build_object(
		'jobId', _job.id,
		'agentId', _job.agent_id,
		'owner', _job.owner,
		'hirer', _job.hirer,
		'judge', _job.judge,
		'price', _job.price,
		'feeBps', _job.fee_bps,
		'status', _job.status,
		'dueAt', wire_time(_job.due_at),
		'endReason', _job.end_reason,
		'agentAmount', _job.agent_amount,
		'hirerAmount', _job.hirer_amount)
$$;
