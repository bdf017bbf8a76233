-- When the rounds first ask the chain about a transaction that was signed at `_now`: FIRST_LOOK_MS of
-- looks.ts (transactions/relay).
create function first_look(_now timestamptz) returns timestamptz language sql immutable as $$
	select _now + interval '5 seconds'
$$;
