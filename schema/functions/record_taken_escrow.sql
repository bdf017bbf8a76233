-- Records that an escrow under a key version holds less than it owes, so nothing is funded under it any more.
-- `is_new` is false if that was known.
create function record_taken_escrow(_key_version smallint, _authority text, _now timestamptz)
returns table (is_new boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	insert into payment_generations (generation, authority, taken_at) values (_key_version, _authority, _now)
	on conflict (generation) do update set taken_at = _now where payment_generations.taken_at is null;
	return query select found;
end $$;
