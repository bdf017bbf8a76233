-- Hires an agent for a term of whole days from `_now`, at the agent's price of this moment. A caller that
-- names a price hires at no other. Without layers, the hire has all of the agent's. An earlier hire of the
-- same agent whose term is over is recorded first. Locks the agent's row, so that concurrent calls of a
-- wallet create one hire. Hires count against the client address, per hour. A hired agent
-- is listed by word and layer; its `listed_until` changes once a day at most, since an index has it.
-- A hire by a grant with a spend limit needs a budget, which counts against that limit for good. If the
-- budget exceeds the rest of the limit, the rest is `remaining`. A hire by a grant that has ended is rejected
-- as that of a revoked session.
-- due: hires at expires_at
-- outcome: hired | agent_not_found | agent_not_active | layers_not_supported | price_changed | already_hired | budget_limit_required | renewal_not_granted | spend_limit_exceeded | too_many_hires
-- optional: grant, layers, fee_model, fee_amount, budget_limit
-- nullable: agent_status, supported_layers, remaining
-- types: agent_status AgentStatus
create function hire_agent(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _grant uuid, _agent_id uuid, _layers smallint[], _fee_model text, _fee_amount bigint, _budget_limit bigint,
	_auto_renew boolean, _term_days smallint, _address_hash text, _hires_per_address integer, _now timestamptz)
returns table (outcome text, agent_status text, supported_layers smallint[], remaining bigint, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	hire hires;
	earlier hires;
	consent grants;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into agent from agents where id = _agent_id for no key update;
	outcome := case
		when not found then 'agent_not_found'
		when agent.status <> 'active' then 'agent_not_active'
		when not (_layers <@ agent.supported_layers) then 'layers_not_supported'
		when _fee_model <> agent.fee_model or _fee_amount <> agent.fee_amount then 'price_changed'
		else 'hired' end;
	if outcome = 'hired' then
		select * into earlier from hires where agent_id = agent.id and wallet = _wallet and status = 'active' for update;
		outcome := case when found and (hire_at(earlier, agent, _now)).status = 'active' then 'already_hired' else 'hired' end;
	end if;
	if outcome = 'hired' and _grant is not null then
		consent := lock_grant(_grant, _wallet, _now);
		outcome := case
			when consent.spend_limit is null then 'hired'
			when _budget_limit is null then 'budget_limit_required'
			when _auto_renew then 'renewal_not_granted'
			when _budget_limit > consent.spend_limit - consent.committed then 'spend_limit_exceeded'
			else 'hired' end;
	end if;
	if outcome = 'hired' and not count_call(_wallet, _address_hash, _hires_per_address, _now) then
		outcome := 'too_many_hires';
	end if;
	if outcome = 'hired' then
		-- An earlier hire whose term is over blocks a new one only until its end is recorded.
		if earlier.id is not null then
			_to_notify := record_due(array[earlier.id], _now);
		end if;
		insert into hires (id, wallet, agent_id, layers_enabled, fee_model, fee_amount, budget_limit, auto_renew, term_days,
			status, hired_at, expires_at)
		values (_id, _wallet, agent.id, coalesce(_layers, agent.supported_layers), agent.fee_model, agent.fee_amount,
			_budget_limit, _auto_renew, _term_days, 'active', _now, _now + make_interval(secs => _term_days * 86400))
		returning * into hire;
		update grants set committed = committed + _budget_limit where id = consent.id and spend_limit is not null;
		update agents set total_hires = total_hires + 1, is_listed = true, listed_until = case
			when listed_until < idle_after(_now) then idle_after(_now) + make_interval(secs => 86400) else listed_until end
		where id = agent.id;
		_to_notify := _to_notify || publish_event('hire.created', _now, _now, agent.pubkey, _wallet, agent.id, hire_data(hire));
	end if;
	return query select outcome, agent.status, agent.supported_layers,
		case outcome when 'spend_limit_exceeded' then consent.spend_limit - consent.committed end, _to_notify;
end $$;
