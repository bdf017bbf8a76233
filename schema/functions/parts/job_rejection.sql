-- Says why job_next rejects an act of a side or a judge. `due`: the deadline has passed, and is to be
-- settled first. `funding_open`: a funding is signed. `deadline_passed`: the job has ended by a deadline.
-- `job_changed`: another act came first.
create function job_rejection(_job jobs, _act text, _now timestamptz) returns text language sql immutable as $$
	select case
		when is_job_due(_job, _now) then 'due'
		when _act in ('end', 'fund') and _job.is_funding then 'funding_open'
		when _job.end_reason in ('nobody_accepted', 'not_funded', 'no_delivery', 'review_time_over', 'no_verdict') then 'deadline_passed'
		else 'job_changed' end
$$;
