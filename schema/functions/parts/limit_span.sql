-- Returns a limit of lib/events/limits.ts in milliseconds as an interval.
create function limit_span(_limits json, _name text) returns interval language sql immutable as $$
	select make_interval(secs => (_limits ->> _name)::float / 1000)
$$;
