-- Records a settled payment, whose success is being answered, at the route of its price: its fee counts for
-- the route's rank. If the server declared the route (`_is_declared`) and it is new, it is enqueued for a
-- probe, and `probe_at` says when. `state` is null if there is no such route. The caller has locked the
-- owner's credit.
create function record_resource_payment(_payment request_payments, _is_declared boolean, _now timestamptz,
	out state text, out code text, out probe_at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
	probe_after constant interval := interval '1 minute'; -- FIRST_PROBE_AFTER_MS of lib/liveness/first-probe.ts
	resource request_resources;
begin
	update request_resources set fees = fees + coalesce(_payment.fee, 0), paid_at = _now
	where agent_id = _payment.agent_id and price_name = _payment.price_name
	returning * into resource;
	if not found and _is_declared then
		resource := enqueue_resource(_payment.agent_id, _payment.price_name, coalesce(_payment.fee, 0), _now,
			_now + probe_after, _now);
		probe_at := resource.next_probe_at;
	end if;
	state := resource.state;
	code := resource.code;
end $$;
