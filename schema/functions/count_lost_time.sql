-- For an operator, after a restore: moves the deadlines of up to `_limit` jobs by the time that the database
-- has lost, as an outage from `_since` to `_now` does. A repeated call moves none again.
create function count_lost_time(_since timestamptz, _now timestamptz, _limit integer)
returns table (counted integer, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_running uuid[];
	job jobs;
begin
	counted := 0;
	to_notify := '{}';
	_running := array(select id from jobs where due_at is not null and counted_at <= _since order by id limit _limit);
	perform from agents where id in (select agent_id from jobs where jobs.id = any (_running)) order by id for no key update;
	for job in
		select * from jobs where id = any (_running) and due_at is not null and counted_at <= _since order by id for update
	loop
		job.due_at := moved_deadline(job.due_at, job.counted_at, array[_since], array[_now]);
		job.counted_at := _now;
		to_notify := to_notify || record_job(job, _now);
		counted := counted + 1;
	end loop;
	return next;
end $$;
