-- Publishes that a charge has made a period's budget low or exhausted it. Returns the endpoints and wallets
-- to notify.
create function publish_budget_event(_type text, _now timestamptz, _owner text, _hire hires, _period hire_periods)
returns text[] language sql as $$
	select publish_event(_type, _now, _now, _owner, _hire.wallet, _hire.agent_id, json_build_object(
		'hireId', _hire.id,
		'agentId', _hire.agent_id,
		'owner', _owner,
		'hirer', _hire.wallet,
		'budgetLimit', _hire.budget_limit,
		'spent', _period.spent,
		'remaining', _hire.budget_limit - _period.spent,
		'period', json_build_object('start', wire_time(_period.starts_at), 'end', wire_time(_period.ends_at))))
$$;
