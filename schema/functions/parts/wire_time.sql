-- Formats a time as it is on the wire: RFC 3339 in UTC with milliseconds.
create function wire_time(_time timestamptz) returns text language sql stable as $$
	select to_char(_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
