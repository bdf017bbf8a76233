-- Gives slots of a counter back that were taken for attempts that shall not count (`_change` below 0), or
-- counts failed attempts at a healthy target, which takes none beforehand (above 0).
create function settle_slots(_counter text, _since timestamptz, _change integer) returns void language sql as $$
	insert into webhook_hosts (host, since, attempts)
	select _counter, _since, greatest(0, _change) where _change <> 0
	on conflict (host) do update set since = greatest(webhook_hosts.since, _since), attempts =
		greatest(0, case when webhook_hosts.since >= _since then webhook_hosts.attempts else 0 end + _change)
	where _change > 0 or webhook_hosts.since = _since
$$;
