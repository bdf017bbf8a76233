-- Takes `_count` slots in the minute of a host, all or none, of the `_limit` that it has. The row `all
-- hosts` counts attempts at unproven targets, at any host: no host has a space in it.
create function take_slots(_host text, _minute timestamptz, _count integer, _limit integer)
returns boolean language plpgsql as $$
begin
	insert into webhook_hosts (host, minute, attempts) values (_host, _minute, _count)
	on conflict (host) do update set minute = greatest(webhook_hosts.minute, _minute),
		attempts = case when webhook_hosts.minute >= _minute then webhook_hosts.attempts else 0 end + _count
	where case when webhook_hosts.minute >= _minute then webhook_hosts.attempts else 0 end + _count <= _limit;
	return found;
end $$;
