-- Returns what an agent lacks to sell requests, in the order of sellingNeeds (schema/values.ts): a key,
-- credit for one payment of `_fee`, a token account if a payment was refused for it, an endpoint. Null for an
-- unknown agent. Reads by Workers call it, which may not read keys and credit.
create function request_needs(_agent_id uuid, _fee bigint) returns text[]
language sql stable security definer set search_path from current as $$
	select array_remove(array[
		case when not exists (select from facilitator_keys where agent_id = agents.id) then 'key' end,
		case when coalesce((select balance from credits where owner = agents.pubkey), 0) < _fee then 'credit' end,
		case when exists (
			select from request_refusals
			where agent_id = agents.id and reason = 'no_token_account' and first_at is not null) then 'token_account' end,
		case when api_endpoint is null then 'endpoint' end], null)
	from agents where id = _agent_id
$$;
