-- Records a charge of the owner for work on a hire, if the hire, its fee and the rest of its period's
-- budget allow it. The lock of the agent covers hire, period and references, so concurrent charges never
-- exceed a budget together. A charge that does not fit exhausts the budget. `budget_exhausted` records that
-- and publishes it once, except in a period without charges. A charge that fits counts per client address
-- and hour. A CHECK constraint of wallet_quotas limits charges.
-- due: settlement a minute after a charge on a hire with an unrecorded budget account (`is_undiscovered`)
-- outcome: recorded | recorded_before | hire_not_found | hire_not_active | agent_suspended | charge_invalid | budget_exhausted | too_many_charges
-- optional: units, captured_value, share, layer, description, result
-- nullable: hire_status, hire_ended_at, layers_enabled, fee_model, fee_amount, budget_limit, charge_state
-- types: hire_status HireStatus, fee_model FeeModel, charge_state ChargeState
create function record_charge(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _hire_id uuid, _reference text, _units bigint,
	_captured_value bigint, _share bigint, _layer smallint, _description text, _result text,
	_address_hash text, _charges_per_address integer, _now timestamptz)
returns table (outcome text, hire_status text, hire_ended_at timestamptz, layers_enabled smallint[], fee_model text,
	fee_amount bigint, budget_limit bigint, spent bigint, charge_state text, is_undiscovered boolean, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	max_charged constant bigint := 9007199254740991; -- MAX_CHARGED of schema/values.ts
	agent agents;
	hire hires;
	charge charges;
	period hire_periods;
	_amount numeric;
	_after numeric;
	_starts_at timestamptz;
	_fits boolean;
	_ran_low boolean;
	_ran_out boolean;
begin
	perform assert_session(_session_wallet, _session_generation);
	spent := 0;
	to_notify := '{}';
	is_undiscovered := false;
	select * into agent from agents
	where id = (select agent_id from hires where hires.id = _hire_id) and pubkey = _owner for no key update;
	if not found then
		outcome := 'hire_not_found';
		return next;
		return;
	end if;
	select * into hire from hires where id = _hire_id for no key update;
	hire := hire_at(hire, agent, _now);
	select * into charge from charges where agent_id = agent.id and reference = _reference;
	_amount := charge_amount(hire.fee_model, hire.fee_amount, _units, _captured_value, _share);
	outcome := case
		when charge.id is not null then 'recorded_before'
		when hire.status <> 'active' then 'hire_not_active'
		when agent.status = 'suspended' then 'agent_suspended'
		when _amount between 1 and max_charged and coalesce(_layer = any (hire.layers_enabled), true) then 'recorded'
		else 'charge_invalid' end;
	charge_state := charge_state(charge, hire.ended_at, _now);

	if outcome = 'recorded' then
		_starts_at := period_start(hire.expires_at, hire.term_days);
		select * into period from hire_periods where hire_id = hire.id and starts_at = _starts_at;
		_after := coalesce(period.spent, 0) + _amount;
		_fits := _after <= coalesce(hire.budget_limit, max_charged);
		outcome := case
			when not _fits then 'budget_exhausted'
			when not count_call(_owner, _address_hash, _charges_per_address, _now) then 'too_many_charges'
			else 'recorded' end;
		_ran_low := _fits and _after * 5 >= hire.budget_limit::numeric * 4 and period.low_by_id is null;
		_ran_out := _after >= hire.budget_limit and period.exhausted_by_id is null;

		if outcome = 'recorded' or outcome = 'budget_exhausted' and period.hire_id is not null then
			insert into hire_periods (hire_id, starts_at, ends_at, spent, low_by_id, exhausted_by_id)
			values (hire.id, _starts_at, hire.expires_at, case when _fits then _after else period.spent end,
				case when _ran_low then _id else period.low_by_id end,
				case when _ran_out then _id else period.exhausted_by_id end)
			on conflict (hire_id, starts_at) do update set spent = excluded.spent, low_by_id = excluded.low_by_id,
				exhausted_by_id = excluded.exhausted_by_id
			returning * into period;
			if _fits then
				insert into charges (id, hire_id, agent_id, owner, hirer, reference, amount, units, captured_value, share, layer,
					description, result, period_start, status, created_at)
				values (_id, hire.id, agent.id, _owner, hire.wallet, _reference, _amount,
					charge_units(hire.fee_model, _units), _captured_value, _share, _layer, _description, _result, _starts_at, 'recorded', _now)
				returning * into charge;
				perform count_charge(_owner, _now);
				-- Its hirer may have funded it outside the relay. The settlement job searches for that
				-- after DISCOVER_AFTER_MS of lib/payments/rules.ts.
				update hires set seek_at = _now + interval '1 minute' where id = hire.id and seek_at is null
					and not exists (select from budget_accounts where hire_id = hire.id);
				is_undiscovered := found;
				to_notify := to_notify
					|| publish_event('charge.recorded', _now, _now, _owner, hire.wallet, agent.id, charge_data(charge));
			end if;
			if _ran_low then
				to_notify := to_notify || publish_budget_event('budget.low', _now, _owner, hire, period);
			end if;
			if _ran_out then
				to_notify := to_notify || publish_budget_event('budget.exhausted', _now, _owner, hire, period);
			end if;
		end if;
	end if;

	hire_status := hire.status;
	hire_ended_at := hire.ended_at;
	layers_enabled := hire.layers_enabled;
	fee_model := hire.fee_model;
	fee_amount := hire.fee_amount;
	budget_limit := hire.budget_limit;
	spent := coalesce(period.spent, 0);
	return next;
end $$;
