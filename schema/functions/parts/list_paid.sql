-- Lists agents (locked by the caller) by word and layer, as a hire does: a payment is one use, whose effect
-- ends. `listed_until` changes at most once a day, since an index has it.
create function list_paid(_agent_ids uuid[], _now timestamptz) returns void language plpgsql as $$
#variable_conflict use_column
begin
	update agents set is_listed = true, listed_until = case
		when coalesce(listed_until < idle_after(_now), true) then idle_after(_now) + make_interval(secs => 86400)
		else listed_until end
	where id = any (_agent_ids) and (not is_listed or coalesce(listed_until < idle_after(_now), true));
end $$;
