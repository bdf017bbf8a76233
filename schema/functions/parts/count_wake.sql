-- Counts a wake-up of the database on the day that began at `_day`. Returns false if the counter has reached
-- `_limit`. `webhook_hosts` has counters only; its column `host` has a counter's name.
create function count_wake(_counter text, _day timestamptz, _limit integer)
returns boolean language plpgsql as $$
begin
	insert into webhook_hosts (host, since, attempts) values (_counter, _day, 1)
	on conflict (host) do update set since = greatest(webhook_hosts.since, _day),
		attempts = case when webhook_hosts.since >= _day then webhook_hosts.attempts else 0 end + 1
	where webhook_hosts.since < _day or webhook_hosts.attempts < _limit;
	return found;
end $$;
