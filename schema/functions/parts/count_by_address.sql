-- Counts an action of a client address within the hour or day (`_period`, in UTC) of `_now`. Returns whether
-- it is within the limit; above it nothing is counted. Addresses are limited because wallets cost nothing.
create function count_by_address(_address_hash text, _period text, _limit integer, _now timestamptz) returns boolean
language plpgsql as $$
declare
	_ends_at constant timestamptz := date_trunc(_period, _now, 'UTC') + ('1 ' || _period)::interval;
begin
	insert into address_quotas (address_hash, ends_at, used) values (_address_hash, _ends_at, 1)
	on conflict (address_hash) do update set
		used = 1 + case when address_quotas.ends_at >= _ends_at then address_quotas.used else 0 end,
		ends_at = greatest(address_quotas.ends_at, _ends_at)
	where address_quotas.ends_at < _ends_at or address_quotas.used < _limit;
	return found;
end $$;
