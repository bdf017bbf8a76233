-- Makes the payload of an event about a charge.
create function charge_data(_charge charges) returns json language sql stable as $$
	select json_build_object(
		'chargeId', _charge.id,
		'hireId', _charge.hire_id,
		'agentId', _charge.agent_id,
		'owner', _charge.owner,
		'hirer', _charge.hirer,
		'reference', _charge.reference,
		'amount', _charge.amount,
		'units', _charge.units,
		'capturedValue', _charge.captured_value,
		'share', _charge.share,
		'layer', _charge.layer,
		'description', _charge.description,
		'status', _charge.status,
		'createdAt', wire_time(_charge.created_at),
		'fee', _charge.fee)
$$;
