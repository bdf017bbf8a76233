-- Makes the payload of an event about money that a transaction has moved to or from an escrow of a job. A fee
-- is a part of the amount.
create function job_money_data(_job jobs, _intent_id uuid, _amount bigint, _fee bigint) returns json language sql stable as $$
	select json_strip_nulls(json_build_object(
		'jobId', _job.id,
		'agentId', _job.agent_id,
		'owner', _job.owner,
		'hirer', _job.hirer,
		'transactionId', _intent_id,
		'amount', _amount,
		'fee', _fee))
$$;
