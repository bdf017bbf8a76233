-- Makes the row of a priced route that has none, for a probe at `_probe_at`. An agent has at most 50 rows:
-- the oldest one whose price has ended makes room. Returns null without a current price of this name, or
-- if there is no room. The caller has locked the owner's credit or the agent, so two calls can't exceed
-- the limit together.
create function enqueue_resource(_agent_id uuid, _price_name text, _fees bigint, _paid_at timestamptz,
	_probe_at timestamptz, _now timestamptz)
returns request_resources language plpgsql as $$
#variable_conflict use_column
declare
	max_resources constant integer := 50; -- MAX_REQUEST_PRICES of schema/values.ts
	resource request_resources;
begin
	if max_resources <= (select count(*) from request_resources where agent_id = _agent_id) then
		delete from request_resources where agent_id = _agent_id and price_name = (
			select price_name from request_resources
			where agent_id = _agent_id and code = 'price_ended' order by changed_at, price_name limit 1);
		if not found then
			return null;
		end if;
	end if;
	insert into request_resources (agent_id, price_name, state, fees, paid_at, next_probe_at, changed_at)
	select _agent_id, _price_name, 'pending', _fees, _paid_at, _probe_at, _now
	where exists (
		select from request_prices where agent_id = _agent_id and name = _price_name and ended_at is null)
	on conflict do nothing
	returning * into resource;
	return resource;
end $$;
