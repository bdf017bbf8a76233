-- Ends a hire at `_now`, for its hirer or its agent's owner. A hire that has already ended stays as it is. If
-- its term ended earlier, the expiry or the renewals until now are recorded first. Also returns the sum spent
-- in the hire's last period.
-- outcome: ended | hire_not_found
create function end_hire(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _now timestamptz)
returns table (outcome text, spent bigint, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	hire hires;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	-- A hire's owner and agent never change, so no lock is needed to read them.
	select * into agent from agents
	where id = (select agent_id from hires where hires.id = _id)
		and _wallet in (pubkey, (select wallet from hires where hires.id = _id)) for no key update;
	if not found then
		return query select 'hire_not_found', 0::bigint, _to_notify;
		return;
	end if;
	select * into hire from hires where id = _id for update;
	if hire.status = 'active' and hire.expires_at <= _now then
		_to_notify := record_due(array[_id], _now);
		select * into hire from hires where id = _id;
	end if;
	if hire.status = 'active' then
		update hires set status = 'terminated', ended_at = _now, outcome = coalesce(outcome, 'cut_short')
		where id = _id returning * into hire;
		_to_notify := _to_notify
			|| publish_event('hire.terminated', _now, _now, agent.pubkey, hire.wallet, agent.id, hire_data(hire,
				_ended_by => case _wallet when hire.wallet then 'hirer' else 'owner' end));
	end if;
	return query select 'ended', coalesce((select hire_periods.spent from hire_periods where hire_id = _id
		and starts_at = period_start(hire.expires_at, hire.term_days)), 0), _to_notify;
end $$;
