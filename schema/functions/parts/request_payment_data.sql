-- Makes the payload of an event about a payment for a request. Its URL is of the agent's present endpoint.
create function request_payment_data(_payment request_payments) returns json language sql stable as $$
	select json_build_object(
		'paymentId', _payment.id,
		'agentId', _payment.agent_id,
		'owner', _payment.owner,
		'payer', _payment.payer,
		'asset', _payment.asset,
		'amount', _payment.amount,
		'priceName', _payment.price_name,
		'url', price_url(_payment.price_name, (select api_endpoint from agents where id = _payment.agent_id)),
		'status', nullif(_payment.status, 'settled'),
		'payersFault', _payment.is_payers_fault,
		'signature', _payment.network_signature,
		'createdAt', wire_time(_payment.created_at))
$$;
