-- Gives all funded jobs more time, after an outage that the Clock can't see, such as of logins. A deadline
-- that has passed counts from `_now`.
create function extend_jobs(_minutes integer, _now timestamptz)
returns table (extended integer)
language plpgsql security definer set search_path from current as $$
declare
	_ids uuid[];
begin
	_ids := array(select id from jobs where status in ('funded', 'delivered', 'disputed')
		and due_at is not null and not is_funding order by id for update);
	update jobs set due_at = greatest(due_at, _now) + make_interval(mins => _minutes) where id = any (_ids);
	return query select cardinality(_ids);
end $$;
