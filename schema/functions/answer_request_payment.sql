-- Records what a call has seen of the payment that it leases by `_lease`, and returns its answer. Only one
-- call, ever, gets `settled`. `pending` ends the lease, so that the next call can wait. A call that has
-- lost its lease gets `duplicate`. With `settled`, the payment counts for the route of its price, which is
-- enqueued for a probe if the server declared it (`_is_declared`) and it is new.
-- optional: slot, is_payers_fault
-- due: looks at probe_at, if a new route was enqueued
-- nullable: route_state, route_code, probe_at
-- outcome: settled | pending | failed | expired | duplicate
create function answer_request_payment(_id uuid, _lease uuid, _seen text, _slot bigint, _is_payers_fault boolean,
	_is_declared boolean, _fee_step bigint, _now timestamptz)
returns table (outcome text, route_state text, route_code text, probe_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	payment request_payments;
begin
	to_notify := '{}';
	if _seen <> 'pending' then
		to_notify := resolve_request_payments(array[_id], array[_seen], array[_slot], array[_is_payers_fault], _fee_step, _now);
	else
		perform from credits where owner = (select owner from request_payments where id = _id) for update;
	end if;
	select * into payment from request_payments where id = _id for update;
	outcome := case
		when payment.status in ('failed', 'expired') then payment.status
		when payment.lease is distinct from _lease or payment.answered_at is not null then 'duplicate'
		else payment.status end;
	if payment.lease = _lease then
		update request_payments set lease = null, leased_until = null,
			answered_at = case when outcome = 'settled' then _now else answered_at end
		where id = _id;
		if outcome = 'settled' then
			select route.state, route.code, route.probe_at into route_state, route_code, probe_at
			from record_resource_payment(payment, _is_declared, _now) as route;
		end if;
	end if;
	return next;
end $$;
