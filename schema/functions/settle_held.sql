-- Records the charges of held hires that a landed collection has paid, by an operator's decision: all of
-- them or none. The charges of a hire sum up to at most the amount collected from its budget account.
-- outcome: settled | not_held | too_much
create function settle_held(_id uuid, _charges uuid[], _fee_step bigint, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	to_notify := '{}';
	perform from agents
	where id in (select agent_id from charges where charges.id = any (_charges)) order by id for no key update;
	perform lock_paying_accounts(array[_id]);
	perform from payment_intents where id = _id for update;
	perform from charges where id = any (_charges) order by id for update;
	outcome := case
		when cardinality(_charges) <> (
			select count(*) from charges
				join payment_intent_legs as leg on intent_id = _id and leg.hire_id = charges.hire_id
				join payment_intents on payment_intents.id = intent_id
				join budget_accounts on budget_accounts.hire_id = charges.hire_id
			where charges.id = any (_charges) and charges.status = 'recorded'
				and coalesce(collection_id, _id) = _id and payment_intents.status = 'landed'
				and held_at is not null) then 'not_held'
		when exists (
			select from payment_intent_legs as leg
			where intent_id = _id and leg.amount < (
				select sum(charges.amount) from charges
				where charges.hire_id = leg.hire_id and (charges.id = any (_charges)
					or charges.status = 'collected' and charges.collection_id = _id))) then 'too_much'
		else 'settled' end;
	if outcome = 'settled' then
		update charges set collection_id = _id where id = any (_charges);
		to_notify := land_collections(array[_id], _fee_step, _now);
	end if;
	return next;
end $$;
