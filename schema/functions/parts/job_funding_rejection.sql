-- Says why a job, locked by the caller, can't be funded at `_now`, by its state, its agent or its key
-- version; null if it can. `escrow_taken`: an escrow under the key version holds too little.
create function job_funding_rejection(_job jobs, _now timestamptz) returns text language sql stable as $$
	select case
		when (job_next(_job, 'fund', 'hirer', null, _now)).id is null then job_rejection(_job, 'fund', _now)
		when exists (select from agents where id = _job.agent_id and status = 'suspended') then 'agent_suspended'
		else (
			select case
				when leaked_at is not null then 'key_leaked'
				when taken_at is not null then 'escrow_taken'
				when ended_at is not null then 'jobs_ended'
				end
			from payment_generations where generation = _job.key_version)
		end
$$;
