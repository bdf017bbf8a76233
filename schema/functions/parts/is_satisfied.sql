-- Whether a payer counts as satisfied by its latest rating: above MOST_DISSATISFIED of rules.ts
-- (reputation), or not given.
create function is_satisfied(_rating smallint) returns boolean language sql immutable as $$
	select coalesce(_rating > 2, true)
$$;
