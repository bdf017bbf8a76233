-- Leases a host with up to `_limit` of its due priced routes, new ones first. The lists name the routes of
-- the host with their URLs. A route whose URL has changed stays due. If another lease or its pause has the
-- host, its routes wait for the end of that. Endpoints and routes that are due alternate. A route that was
-- leased twice without a record may have crashed these runs, and waits a day.
-- due: looks when the lease ends, or the host is free (its job run answers)
-- nullable: asset, amount
create function lease_resources(_host text, _agent_ids uuid[], _price_names text[], _urls text[], _lease uuid,
	_limit integer, _now timestamptz, _lease_end timestamptz)
returns table (agent_id uuid, price_name text, url text, owner text, is_active boolean, asset text, amount bigint,
	is_named boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	host probed_hosts;
	_due tid[];
begin
	insert into probed_hosts (host, free_at) values (_host, _now) on conflict do nothing;
	select * into host from probed_hosts where probed_hosts.host = _host for update;
	perform from request_resources
	where (agent_id, price_name) in (select * from unnest(_agent_ids, _price_names)) and next_probe_at <= _now
	order by agent_id, price_name for update;
	if host.free_at > _now or host.endpoints_next and host.next_turn_at <= _now then
		update request_resources set next_probe_at = greatest(host.free_at, _now + interval '1 minute')
		where (agent_id, price_name) in (select * from unnest(_agent_ids, _price_names)) and next_probe_at <= _now;
		return;
	end if;
	update request_resources set begun = 1, lease = null, next_probe_at = _now + interval '1 day'
	where (agent_id, price_name) in (select * from unnest(_agent_ids, _price_names)) and next_probe_at <= _now
		and begun > 1;
	_due := array(
		select request_resources.ctid
		from unnest(_agent_ids, _price_names, _urls) as named (named_agent, named_price, named_url)
		join request_resources on agent_id = named_agent and price_name = named_price
		join agents on agents.id = named_agent
		where next_probe_at <= _now and coalesce(price_url(price_name, api_endpoint), '') = named_url
		order by state = 'pending' desc, next_probe_at limit _limit);
	if cardinality(_due) = 0 then
		return;
	end if;
	update probed_hosts set free_at = _lease_end, next_turn_at = greatest(next_turn_at, case
		when next_turn_at is not null then _lease_end end)
	where probed_hosts.host = _host;
	return query
	with leased as (
		update request_resources set lease = _lease, begun = begun + 1, next_probe_at = _lease_end
		where ctid = any (_due)
		returning agent_id, price_name)
	select leased.agent_id, leased.price_name, coalesce(price_url(leased.price_name, api_endpoint), ''), pubkey, status = 'active',
		request_prices.asset, request_prices.amount,
		exists (
			select from request_resources as sibling
			where sibling.agent_id = leased.agent_id and sibling.state = 'listed' and sibling.price_name ~ '^(GET|HEAD) ')
		or exists (
			select from agent_endpoints
			where agent_endpoints.url_hash = url_hash(api_endpoint) and agent_endpoints.protocol = api_protocol
				and identifies = 'agent:' || leased.agent_id)
	from leased
	join agents on agents.id = leased.agent_id
	left join request_prices on request_prices.agent_id = leased.agent_id
		and request_prices.name = leased.price_name and ended_at is null
	order by leased.agent_id, leased.price_name;
end $$;
