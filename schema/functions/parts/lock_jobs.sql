-- Locks the agents of built transactions' jobs, then the jobs, each in the order of their ids, as lock_job
-- does for one. Every function that changes such transactions locks these first.
create function lock_jobs(_intent_ids uuid[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
	-- A job keeps its agent, so no lock is needed to read it.
	perform from agents
	where id in (
		select agent_id from payment_intent_jobs join jobs on jobs.id = job_id where intent_id = any (_intent_ids))
	order by id for no key update;
	perform from jobs
	where id in (select job_id from payment_intent_jobs where intent_id = any (_intent_ids)) order by id for update;
end $$;
