-- Takes payments for requests to check with the network, longest due first. It postpones each: by a minute,
-- or by its age if that is more. From six hours on it waits for the daily job, as exponential backoff does
-- (lib/transactions/confirmation/check-schedule.ts).
-- due: settlement when each is asked about next (its job run answers)
create function take_due_request_payments(_limit integer, _now timestamptz)
returns table (id uuid, transaction text, network_signature text, last_valid_block_height bigint, created_at timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_daily constant timestamptz := date_trunc('day', _now - interval '7 minutes', 'UTC') + interval '1 day 7 minutes';
begin
	return query
		update request_payments as payment
		set due_at = case when _now - payment.created_at < interval '6 hours'
			then _now + greatest(interval '1 minute', _now - payment.created_at) else _daily end
		from (
			select due.id from request_payments as due
			where due.status = 'pending' and due.due_at <= _now
			order by due.due_at limit _limit for update skip locked) as taken
		where payment.id = taken.id
		returning payment.id, payment.transaction, payment.network_signature, payment.last_valid_block_height,
			payment.created_at;
end $$;
