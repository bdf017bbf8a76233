-- Returns the ids in `_agent_ids` that name no agent of the wallet.
create function not_agents_of(_wallet text, _agent_ids uuid[]) returns uuid[] language sql stable as $$
	select array(
		select id from unnest(_agent_ids) as named (id)
		where not exists (select from agents where agents.id = named.id and pubkey = _wallet))
$$;
