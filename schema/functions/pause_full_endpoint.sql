-- Pauses a webhook endpoint for which more than `_limit` deliveries wait, and tells its owner. What is
-- beyond the limit is given up, paused or not: deliveries that are due first, since they are the
-- oldest. Of rank 0 it keeps `_limit_of_free` and pauses nothing: others make those at no cost. At most
-- 10,000 of each a call.
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
