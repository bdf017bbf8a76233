-- Checks whether a payer is satisfied: its latest rating is high enough, or it has not rated.
create function is_satisfied(_rating smallint) returns boolean language sql immutable as $$
	select coalesce(_rating > 2, true) -- MAX_DISSATISFIED of lib/reputation/counterparties/rules.ts
$$;
