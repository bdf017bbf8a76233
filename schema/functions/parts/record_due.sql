-- Renews or ends hires whose term has ended, as hire_at computes: renewed until after `_now`, or expired. A
-- hire counts for its agent once, when its first term is over. The caller has locked the agents, then the
-- hires. Returns the endpoints and wallets to notify.
create function record_due(_hire_ids uuid[], _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	term record;
	hire hires;
	_to_notify text[] := '{}';
	_agent_ids uuid[] := '{}';
	_owners text[] := '{}';
	_hirers text[] := '{}';
begin
	for term in
		with due as materialized (
			select hires.id, pubkey, pauses, expires_at as due_at, outcome is null as is_first,
				hire_at(hires, agents, _now) as after
			from hires join agents on agents.id = agent_id where hires.id = any (_hire_ids)),
		recorded as (
			update hires set status = (after).status, expires_at = (after).expires_at, ended_at = (after).ended_at,
				unused_renewals = (after).unused_renewals, outcome = coalesce(outcome, 'completed')
			from due where hires.id = due.id
			returning hires as row, pubkey, pauses, due_at, is_first)
		select *, coalesce((row).ended_at, due_at) as changed_at from recorded order by changed_at
	loop
		hire := term.row;
		_to_notify := _to_notify || publish_event(case hire.status when 'active' then 'hire.renewed' else 'hire.expired' end,
			_now, term.changed_at, term.pubkey, hire.wallet, hire.agent_id, hire_data(hire,
				_reason => case when hire.auto_renew and not term.pauses @> hire.ended_at then 'unused' end));
		if term.is_first then
			_agent_ids := _agent_ids || hire.agent_id;
			_owners := _owners || term.pubkey;
			_hirers := _hirers || hire.wallet;
		end if;
	end loop;
	if _agent_ids <> '{}' then
		perform record_completed(_agent_ids, _owners, _hirers);
	end if;
	return _to_notify;
end $$;
