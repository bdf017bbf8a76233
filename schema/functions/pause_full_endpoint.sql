-- Disables a webhook endpoint with more than `_limit` pending deliveries, and publishes that to its owner.
-- It gives up the excess, even of a disabled endpoint: the deliveries that are due first, which are the
-- oldest. Of rank 0 it leaves `_limit_of_free` without disabling the endpoint, since others create these at
-- no cost. At most 10,000 of each a call.
create function pause_full_endpoint(_id uuid, _limit integer, _limit_of_free integer, _now timestamptz)
returns table (given_up integer, nudges text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	most_at_once constant integer := 10000;
	endpoint record;
	_given_up integer;
	_free integer;
begin
	-- Locked in this order: deliveries, the endpoint.
	update deliveries set status = 'failed', next_attempt_at = null, lease = null
	where ctid = any (array(
		select ctid from deliveries
		where endpoint_id = _id and rank = 0 and status = 'pending'
		order by next_attempt_at desc offset _limit_of_free limit most_at_once for update skip locked));
	get diagnostics _free = row_count;
	update deliveries set status = 'failed', next_attempt_at = null, lease = null
	where ctid = any (array(
		select ctid from deliveries
		where endpoint_id = _id and rank > 0 and status = 'pending'
		order by next_attempt_at desc offset _limit limit most_at_once for update skip locked));
	get diagnostics _given_up = row_count;
	select * into endpoint from webhook_endpoints() as hook where hook.id = _id;
	return query select _given_up + _free, case when _given_up = 0 or not found then '{}'::text[] else
		disable_endpoint(_id, endpoint.kind, endpoint.wallet, endpoint.url, 'full', _now, _now) end;
end $$;
