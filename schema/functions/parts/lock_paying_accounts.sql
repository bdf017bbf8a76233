-- Locks the budget accounts of built payment transactions, in the order of their hires. Every function that
-- changes such transactions locks these accounts first, then the transactions and their charges.
create function lock_paying_accounts(_intent_ids uuid[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
	perform from budget_accounts
	where hire_id in (select leg.hire_id from payment_intent_legs as leg where intent_id = any (_intent_ids))
	order by hire_id for no key update;
end $$;
