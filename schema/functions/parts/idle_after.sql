-- Computes when an agent becomes idle after its last use: its registration, a hire, or a login of its owner.
create function idle_after(_used_at timestamptz) returns timestamptz language sql stable as $$
	select _used_at + make_interval(secs => 30 * 86400)
$$;
