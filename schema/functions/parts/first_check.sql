-- Returns when the settlement job first checks a transaction signed at `_now`.
create function first_check(_now timestamptz) returns timestamptz language sql immutable as $$
	select _now + interval '5 seconds' -- FIRST_CHECK_MS of lib/transactions/confirmation/check-schedule.ts
$$;
