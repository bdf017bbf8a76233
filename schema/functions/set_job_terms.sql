-- Sets the terms under which an agent is sent jobs, for its owner. Without terms, it is sent none any more.
-- Orders that are open stay.
-- outcome: recorded | agent_not_found | own_judge
-- optional: min_price, work_minutes, judges
create function set_job_terms(_session_wallet text, _session_generation integer,
	_agent_id uuid, _owner text, _min_price bigint, _work_minutes integer, _judges text[], _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into agent from agents where id = _agent_id and pubkey = _owner for no key update;
	outcome := case
		when agent.id is null then 'agent_not_found'
		when _owner = any (_judges) then 'own_judge'
		else 'recorded' end;
	if outcome = 'recorded' and _judges is null then
		delete from job_terms where agent_id = agent.id;
	elsif outcome = 'recorded' then
		insert into job_terms (agent_id, min_price, work_minutes, judges, set_at)
		values (agent.id, _min_price, _work_minutes, _judges, _now)
		on conflict (agent_id) do update set min_price = excluded.min_price, work_minutes = excluded.work_minutes,
			judges = excluded.judges, set_at = excluded.set_at;
	end if;
	return next;
end $$;
