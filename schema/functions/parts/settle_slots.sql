-- Gives slots in a host's minute back that were taken for attempts answered 2xx (`_change` below 0), or
-- counts failed attempts at a healthy target, which takes none beforehand (above 0).
create function settle_slots(_host text, _minute timestamptz, _change integer) returns void language sql as $$
	insert into webhook_hosts (host, minute, attempts)
	select _host, _minute, greatest(0, _change) where _change <> 0
	on conflict (host) do update set minute = greatest(webhook_hosts.minute, _minute), attempts =
		greatest(0, case when webhook_hosts.minute >= _minute then webhook_hosts.attempts else 0 end + _change)
	where _change > 0 or webhook_hosts.minute = _minute
$$;
