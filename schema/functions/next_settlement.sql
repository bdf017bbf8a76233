-- Returns when settlement is next due. `signed_at` is for signed and open transactions. `other_at` may wait
-- a few minutes for another job run: it is for expired stacks to search for again, and unrecorded budget
-- accounts.
-- nullable: signed_at, other_at
create function next_settlement()
returns table (signed_at timestamptz, other_at timestamptz)
language sql security definer set search_path from current as $$
	select
		least(
			(select min(due_at) from vault_intents where status = 'open' and due_at is not null),
			(select min(due_at) from payment_intents where status = 'open' and due_at is not null),
			(select min(due_at) from request_payments where status = 'pending')),
		least(
			(select min(due_at) from vault_intents where status = 'expired' and due_at is not null),
			(select min(seek_at) from hires where seek_at is not null))
$$;
