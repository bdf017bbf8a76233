-- Locks the budget accounts that built transactions of payments move tokens of, in the order of their hires.
-- Whatever changes such transactions locks these first, before the transactions themselves and their charges.
create function lock_paying_accounts(_intent_ids uuid[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
	perform from budget_accounts
	where hire_id in (select leg.hire_id from payment_intent_legs as leg where intent_id = any (_intent_ids))
	order by hire_id for no key update;
end $$;
