-- Counts a transaction that is built for a wallet without tokens on the hour of its client's address. Answers
-- whether it is within the limit; beyond it nothing is counted. Wallets are free, addresses are not.
create function count_empty_build(_address_hash text, _limit integer, _now timestamptz) returns boolean
language plpgsql as $$
declare
	_hour constant timestamptz := date_trunc('hour', _now, 'UTC');
begin
	insert into address_quotas (address_hash, hour, used) values (_address_hash, _hour, 1)
	on conflict (address_hash) do update set
		used = 1 + case when address_quotas.hour >= _hour then address_quotas.used else 0 end,
		hour = greatest(address_quotas.hour, _hour)
	where address_quotas.hour < _hour or address_quotas.used < _limit;
	return found;
end $$;
