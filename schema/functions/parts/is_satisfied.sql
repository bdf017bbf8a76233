-- Checks whether a payer is satisfied: its latest rating is above MAX_DISSATISFIED of rules.ts
-- (reputation), or it has not rated.
create function is_satisfied(_rating smallint) returns boolean language sql immutable as $$
	select coalesce(_rating > 2, true)
$$;
