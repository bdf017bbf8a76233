-- Counts an action of a wallet against its client address, which may do it `_limit` times an hour. Above
-- that it uses up a call bought by the wallet's protocol fees (`paid_room`). A fee counts for both sides of
-- its payment (add_paid_calls), and a call costs a fiftieth of FEE_STEP. Returns whether the action is
-- allowed. After that the caller may reject the action only by an error that rolls the count back.
create function count_call(_wallet text, _address_hash text, _limit integer, _now timestamptz)
returns boolean language plpgsql as $$
declare
	price_of_call constant bigint := 20000000; -- of WEIGHT_UNIT for a step (lib/reputation/counterparties/rules.ts)
begin
	if count_by_address(_address_hash, 'hour', _limit, _now) then
		return true;
	end if;
	update wallet_quotas set paid_room = paid_room - price_of_call
	where wallet = _wallet and paid_room >= price_of_call;
	return found;
end $$;
