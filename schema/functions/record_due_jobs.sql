-- Settles up to `_limit` jobs whose deadline has passed, in the order of their deadlines, as settle_job
-- does. Skips jobs of agents that another transaction has locked; the next call takes them. Each job has a
-- savepoint, so that one that fails stops no other: its id is in `failed`. The caller passes the ids that
-- have failed as `_except` to the next call, so that they leave room for later deadlines. `next_due_at` is
-- the earliest deadline left of a funded job, `next_unfunded_due_at` that of another one.
-- due: deadlines at the deadlines that outages have moved (its job run answers)
-- nullable: next_due_at, next_unfunded_due_at
create function record_due_jobs(_gaps_from timestamptz[], _gaps_until timestamptz[], _now timestamptz, _except uuid[], _limit integer)
returns table (settled integer, extended integer, failed uuid[], next_due_at timestamptz, next_unfunded_due_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_statuses constant text[] := '{open,accepted,funded,delivered,disputed}';
	_due uuid[];
	_agents uuid[];
	job jobs;
	_settled record;
begin
	settled := 0;
	extended := 0;
	failed := '{}';
	to_notify := '{}';
	-- The first of each status are one range of an index.
	_due := array(
		select first.id from unnest(_statuses) as one_status, lateral (
			select id, due_at from jobs
			where status = one_status and due_at <= _now and not is_funding and id <> all (_except)
			order by due_at limit _limit) as first
		order by first.due_at limit _limit);
	_agents := array(
		select id from agents where id in (select agent_id from jobs where jobs.id = any (_due))
		order by id for no key update skip locked);
	for job in
		select * from jobs where id = any (_due) and agent_id = any (_agents) and due_at <= _now and not is_funding
		order by id for update
	loop
		begin
			_settled := settle_due_job(job, _gaps_from, _gaps_until, _now);
			to_notify := to_notify || _settled.to_notify;
			if (_settled.job).ended_at is null then
				extended := extended + 1;
			else
				settled := settled + 1;
			end if;
		exception when others then
			failed := failed || job.id;
		end;
	end loop;
	to_notify := array(select distinct endpoint from unnest(to_notify) as endpoint);
	select min(due_at) filter (where is_funded), min(due_at) filter (where not is_funded)
	into next_due_at, next_unfunded_due_at
	from unnest(_statuses) as one_status, lateral (
		select due_at, funded_at is not null as is_funded from jobs
		where status = one_status and due_at is not null and not is_funding and id <> all (_except || failed)
		order by due_at limit 1) as next;
	return next;
end $$;
