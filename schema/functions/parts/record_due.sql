-- Renews or ends hires whose term has run out, as the status of their agents has it: renewed
-- by whole terms until after `_now`, or expired. A hire counts for its agent once, when its first term is
-- over. The caller has locked the agents, then the hires. Returns whom to nudge.
create function record_due(_hire_ids uuid[], _now timestamptz) returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	term record;
	hire hires;
	_nudges text[] := '{}';
	_agent_ids uuid[] := '{}';
	_owners text[] := '{}';
	_hirers text[] := '{}';
begin
	for term in
		with due as (
			select hires.id, pubkey, expires_at as due_at, outcome is null as is_first,
				auto_renew and agents.status = 'active' as renews
			from hires join agents on agents.id = agent_id where hires.id = any (_hire_ids)),
		recorded as (
			update hires set status = case when renews then 'active' else 'expired' end,
				expires_at = case when renews then renewed_until(expires_at, term_days, _now) else expires_at end,
				ended_at = case when renews then null else expires_at end,
				outcome = coalesce(outcome, 'completed')
			from due where hires.id = due.id
			returning hires as row, pubkey, due_at, is_first, renews)
		select * from recorded order by due_at
	loop
		hire := term.row;
		_nudges := _nudges || tell(case when term.renews then 'hire.renewed' else 'hire.expired' end,
			_now, term.due_at, term.pubkey, hire.wallet, hire.agent_id, hire_data(hire));
		if term.is_first then
			_agent_ids := _agent_ids || hire.agent_id;
			_owners := _owners || term.pubkey;
			_hirers := _hirers || hire.wallet;
		end if;
	end loop;
	if _agent_ids <> '{}' then
		perform record_completed(_agent_ids, _owners, _hirers);
	end if;
	return _nudges;
end $$;
