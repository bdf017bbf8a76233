-- Whether the deadline of a job's state has passed. A signed funding keeps a job until its outcome is known.
create function is_job_due(_job jobs, _now timestamptz) returns boolean language sql immutable as $$
	select coalesce(_job.due_at <= _now, false) and not _job.is_funding
$$;
