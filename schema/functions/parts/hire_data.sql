-- Makes the payload of an event about a hire. `_reason` says why it expired, `_ended_by` which side ended it.
create function hire_data(_hire hires, _reason text default null, _ended_by text default null)
returns json language sql stable as $$
	select json_build_object(
		'hireId', _hire.id,
		'agentId', _hire.agent_id,
		'wallet', _hire.wallet,
		'layersEnabled', _hire.layers_enabled,
		'budgetLimit', _hire.budget_limit,
		'autoRenew', _hire.auto_renew,
		'status', _hire.status,
		'hiredAt', wire_time(_hire.hired_at),
		'expiresAt', wire_time(_hire.expires_at),
		'endedAt', wire_time(_hire.ended_at),
		'reason', _reason,
		'endedBy', _ended_by)
$$;
