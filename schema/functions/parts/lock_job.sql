-- Locks a job's agent, then the job, and returns the job. Its columns are null for an unknown id.
create function lock_job(_id uuid) returns jobs language plpgsql as $$
declare
	job jobs;
begin
	-- A job keeps its agent, so no lock is needed to read it.
	perform from agents where id = (select agent_id from jobs where jobs.id = _id) for no key update;
	select * into job from jobs where id = _id for update;
	return job;
end $$;
