-- Publishes the outcome of a payment for a request to the payer and the agent's owner. Only the payer gets
-- failures that are too many for the owner (count_failure_event). The caller has locked the agent and the
-- owner's credit. Returns the endpoints and wallets to notify.
create function publish_request_payment(_payment request_payments, _now timestamptz) returns text[] language plpgsql as $$
begin
	if _payment.status = 'settled' then
		return publish_event('payment.settled', _now, _now, _payment.owner, _payment.payer, _payment.agent_id,
			request_payment_data(_payment));
	end if;
	if count_failure_event(_payment.owner, _now) then
		return publish_event('payment.failed', _now, _now, _payment.owner, _payment.payer, _payment.agent_id,
			request_payment_data(_payment));
	end if;
	return publish_event('payment.failed', _now, _now, _payment.payer, null, null, request_payment_data(_payment));
end $$;
