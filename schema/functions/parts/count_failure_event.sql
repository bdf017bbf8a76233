-- Counts an event about a failed or refused payment for an owner's agents, which may cost nothing to cause:
-- a hundred a day (UTC). Returns whether it may be published; never to an owner who has bought no credit.
create function count_failure_event(_owner text, _now timestamptz) returns boolean language plpgsql as $$
declare
	max_events constant integer := 100; -- MAX_FAILURE_EVENTS of lib/x402/rules.ts
	_today constant date := (_now at time zone 'UTC')::date;
begin
	update credits set failures_day = greatest(failures_day, _today),
		failures_told = 1 + case when failures_day >= _today then failures_told else 0 end
	where owner = _owner and (coalesce(failures_day < _today, true) or failures_told < max_events);
	return found;
end $$;
