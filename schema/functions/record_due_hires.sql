-- Records up to `_limit` hires whose term has ended, in the order of their ends: either paid hires or unpaid
-- ones, so that unpaid hires never delay paid ones. Skips hires of agents that another transaction has
-- locked; the next call takes them.
-- due: hires at the ends of the terms that it begins (its job run answers)
create function record_due_hires(_now timestamptz, _paid boolean, _limit integer)
returns table (expired integer, renewed integer, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_due uuid[];
	_agents uuid[];
	_to_notify text[];
begin
	if _paid then
		_due := array(select id from hires where status = 'active' and paid_at is not null and expires_at <= _now
			order by expires_at limit _limit);
	else
		_due := array(select id from hires where status = 'active' and paid_at is null and expires_at <= _now
			order by expires_at limit _limit);
	end if;
	_agents := array(
		select id from agents where id in (select agent_id from hires where hires.id = any (_due))
		for no key update skip locked);
	_due := array(
		select id from hires
		where id = any (_due) and agent_id = any (_agents) and status = 'active' and expires_at <= _now
		for update);
	_to_notify := record_due(_due, _now);
	return query select count(*) filter (where status = 'expired')::integer,
		count(*) filter (where status = 'active')::integer,
		array(select distinct endpoint from unnest(_to_notify) as endpoint)
		from hires where id = any (_due);
end $$;
