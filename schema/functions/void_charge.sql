-- Voids a charge of one of the owner's agents if it is only recorded, and returns its amount to its period.
-- First ends a collection of it that the service had not cosigned by its deadline (built at `_built_by` or
-- before). Also returns the charge's former state; a charge that was voided before stays so.
-- outcome: voided | charge_not_found | not_voidable
-- nullable: charge_state
-- types: charge_state ChargeState
create function void_charge(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _built_by timestamptz, _now timestamptz)
returns table (outcome text, charge_state text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	hire hires;
	charge charges;
	_expired uuid;
begin
	perform assert_session(_session_wallet, _session_generation);
	to_notify := '{}';
	-- Locks the agent before the charge, as record_charge does. A charge's owner never changes.
	select * into agent from agents
	where id = (select agent_id from charges where charges.id = _id) and pubkey = _owner for no key update;
	if not found then
		outcome := 'charge_not_found';
		return next;
		return;
	end if;
	update payment_intents set status = 'expired', resolved_at = _now
	where id = (select collection_id from charges where charges.id = _id)
		and status = 'open' and cosigned_at is null and created_at <= _built_by
	returning id into _expired;
	if found then
		perform from charges where collection_id = _expired order by id for update;
		update charges set collection_id = null where collection_id = _expired;
	end if;
	select * into charge from charges where id = _id for no key update;
	select * into hire from hires where id = charge.hire_id;
	hire := hire_at(hire, agent, _now);
	charge_state := charge_state(charge, hire.ended_at, _now);
	outcome := case when charge_state in ('recorded', 'voided') then 'voided' else 'not_voidable' end;
	if charge_state = 'recorded' then
		update charges set status = 'voided', voided_at = _now where id = _id returning * into charge;
		update hire_periods set spent = hire_periods.spent - charge.amount
		where hire_id = charge.hire_id and starts_at = charge.period_start;
		to_notify := publish_event('charge.voided', _now, _now, _owner, charge.hirer, agent.id, charge_data(charge));
	end if;
	return next;
end $$;
