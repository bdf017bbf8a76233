-- Returns the state of a hire at `_now`, for reads by Workers, which may not read all rows that it depends
-- on.
create function hire_now(_id uuid, _now timestamptz)
returns table (status text, expires_at timestamptz, ended_at timestamptz)
language sql stable security definer rows 1 set search_path from current as $$
	select present.status, present.expires_at, present.ended_at
	from hires join agents on agents.id = hires.agent_id, lateral hire_at(hires, agents, _now) as present
	where hires.id = _id
$$;
