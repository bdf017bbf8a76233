-- Returns the span of time after a moment, without an end.
create function span_after(_moment timestamptz) returns tstzmultirange language sql immutable as $$
	select tstzmultirange(tstzrange(_moment, null, '()'))
$$;
