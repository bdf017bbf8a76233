-- When an agent is idle whose last use (its registration, a hire, a login of its owner) was at that
-- time.
create function idle_after(_used_at timestamptz) returns timestamptz language sql stable as $$
	select _used_at + make_interval(secs => 30 * 86400)
$$;
