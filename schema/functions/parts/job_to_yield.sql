-- Returns the order that a full queue of an agent drops for a new one: the oldest of the client address with
-- the most of them. Orders of wallets that never paid go first. Null if only the new one could go. The
-- caller has locked the agent.
create function job_to_yield(_agent_id uuid, _address_hash text, _is_paying boolean) returns uuid language sql stable as $$
	with queued as (
		select id, address_hash, created_at, is_paying(hirer) as pays from jobs where agent_id = _agent_id and status = 'open'),
	candidates as (
		select id, created_at, count(*) over (partition by address_hash)
			+ case when address_hash = _address_hash and pays = _is_paying then 1 else 0 end as of_address
		from queued where pays = (_is_paying and not exists (select from queued where not pays)))
	select id from candidates order by of_address desc, created_at, id limit 1
$$;
