-- Moves the deadlines of up to `_limit` funded jobs that pass before `_until` to that time, after an outage
-- that the Clock can't see, such as of logins. Deadlines of which the default is not settled yet move, too.
-- A repeated call moves none again.
create function extend_jobs(_until timestamptz, _now timestamptz, _limit integer)
returns table (extended integer, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_due uuid[];
	job jobs;
begin
	extended := 0;
	to_notify := '{}';
	_due := array(
		select id from jobs where status in ('funded', 'delivered', 'disputed') and due_at < _until and not is_funding
		order by due_at limit _limit);
	perform from agents where id in (select agent_id from jobs where jobs.id = any (_due)) order by id for no key update;
	for job in
		select * from jobs where id = any (_due) and status in ('funded', 'delivered', 'disputed') and due_at < _until
		order by id for update
	loop
		job.due_at := _until;
		to_notify := to_notify || record_job(job, _now);
		extended := extended + 1;
	end loop;
	return next;
end $$;
