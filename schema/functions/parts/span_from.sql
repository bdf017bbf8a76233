-- The span of time from a moment on, without an end.
create function span_from(_since timestamptz) returns tstzmultirange language sql immutable as $$
	select tstzmultirange(tstzrange(_since, null))
$$;
