-- Counts a wake-up of the database on the day that began at `_since`. Returns false if the counter has
-- reached `_limit`.
create function take_slots(_counter text, _since timestamptz, _count integer, _limit integer)
returns boolean language plpgsql as $$
begin
	insert into webhook_hosts (host, since, attempts) values (_counter, _since, _count)
	on conflict (host) do update set since = greatest(webhook_hosts.since, _since),
		attempts = case when webhook_hosts.since >= _since then webhook_hosts.attempts else 0 end + _count
	where case when webhook_hosts.since >= _since then webhook_hosts.attempts else 0 end + _count <= _limit;
	return found;
end $$;
