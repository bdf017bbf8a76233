-- Lists agents (locked by the caller) by word and layer for good: whoever was paid stays listed.
create function list_paid(_agent_ids uuid[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
	update agents set is_listed = true, listed_until = null
	where id = any (_agent_ids) and (not is_listed or listed_until is not null);
end $$;
