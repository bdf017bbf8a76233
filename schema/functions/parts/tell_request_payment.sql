-- Publishes the outcome of a payment for a request to the payer and the agent's owner. Failures cost
-- nothing to cause, so an owner gets a hundred a day (UTC), and only the payer gets more. The caller has
-- locked the agent and the owner's credit. Returns the endpoints and wallets to notify.
create function tell_request_payment(_payment request_payments, _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	max_told constant integer := 100; -- MAX_FAILURES_TOLD of rules.ts (x402)
	_today constant date := (_now at time zone 'UTC')::date;
begin
	if _payment.status = 'settled' then
		return tell('payment.settled', _now, _now, _payment.owner, _payment.payer, _payment.agent_id,
			request_payment_data(_payment));
	end if;
	update credits set failures_day = greatest(failures_day, _today),
		failures_told = 1 + case when failures_day >= _today then failures_told else 0 end
	where owner = _payment.owner and (coalesce(failures_day < _today, true) or failures_told < max_told);
	if found then
		return tell('payment.failed', _now, _now, _payment.owner, _payment.payer, _payment.agent_id,
			request_payment_data(_payment));
	end if;
	return tell('payment.failed', _now, _now, _payment.payer, null, null, request_payment_data(_payment));
end $$;
