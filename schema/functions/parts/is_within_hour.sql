-- Whether a wallet may do once more, from a client's address, what an address may do `_limit` times in an
-- hour; counts it if so. Beyond that it uses up what the wallet's protocol fees have bought (give_room): a call
-- costs a fiftieth of a step, half of which each side of a payment gets. After a count the caller refuses only
-- by what undoes it.
create function is_within_hour(_wallet text, _address_hash text, _limit integer, _now timestamptz)
returns boolean language plpgsql as $$
declare
	room_of_a_call constant bigint := 20000000; -- of 1000000000 (WEIGHT_UNIT of rules.ts, reputation) for a step
begin
	if count_by_address(_address_hash, 'hour', _limit, _now) then
		return true;
	end if;
	update wallet_quotas set paid_room = paid_room - room_of_a_call
	where wallet = _wallet and paid_room >= room_of_a_call;
	return found;
end $$;
