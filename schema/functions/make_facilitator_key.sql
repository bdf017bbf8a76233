-- Makes a new facilitator key for an agent of the wallet, which ends earlier versions at once. A version
-- (`generation`) is the second of its creation. So a restored database that has lost an ended key never
-- makes it again.
-- outcome: made | agent_not_found
-- nullable: generation
create function make_facilitator_key(_session_wallet text, _session_generation integer,
	_agent_id uuid, _owner text, _now timestamptz)
returns table (outcome text, generation integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_seconds constant integer := extract(epoch from _now - '2026-01-01T00:00:00Z')::integer;
begin
	perform assert_session(_session_wallet, _session_generation);
	perform from agents where id = _agent_id and pubkey = _owner for no key update;
	if not found then
		return query select 'agent_not_found', null::integer;
		return;
	end if;
	return query
		insert into facilitator_keys (agent_id, generation, made_at) values (_agent_id, greatest(_seconds, 1), _now)
		on conflict (agent_id) do update set generation = greatest(facilitator_keys.generation + 1, _seconds),
			made_at = excluded.made_at
		returning 'made', facilitator_keys.generation;
end $$;
