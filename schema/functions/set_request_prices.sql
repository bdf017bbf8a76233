-- Replaces all prices of an agent of the wallet. A superseded price is accepted for ten more minutes, since
-- clients have received it. At most 200 superseded prices are accepted: a change that would make more is
-- rejected until some have ended. A change with a new price counts per client address and hour. The agent
-- shows the number of its prices, and the lowest one whose asset is `_cred`, the mint of CRED.
-- due: looks at probe_at, if a route is priced again; catalog a minute later, if is_catalog_changed
-- nullable: probe_at
-- outcome: set | agent_not_found | changed_too_often | address_changes_too_often
create function set_request_prices(_session_wallet text, _session_generation integer,
	_agent_id uuid, _owner text, _names text[], _assets text[], _amounts bigint[],
	_cred text, _address_hash text, _changes_per_address integer, _now timestamptz)
returns table (outcome text, is_catalog_changed boolean, probe_at timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	max_superseded constant integer := 200; -- MAX_SUPERSEDED_PRICES of lib/x402/rules.ts
	_is_changed boolean;
begin
	perform assert_session(_session_wallet, _session_generation);
	is_catalog_changed := false;
	perform from agents where id = _agent_id and pubkey = _owner for no key update;
	if not found then
		outcome := 'agent_not_found';
		return next;
		return;
	end if;
	if max_superseded < (
		select count(*) from request_prices
		where agent_id = _agent_id and price_holds(ended_at, _now)
			and (name, asset, amount) not in (select * from unnest(_names, _assets, _amounts)))
	then
		outcome := 'changed_too_often';
		return next;
		return;
	end if;
	if exists (
			select * from unnest(_names, _assets, _amounts)
			except select name, asset, amount from request_prices where agent_id = _agent_id and ended_at is null)
		and not count_call(_owner, _address_hash, _changes_per_address, _now)
	then
		outcome := 'address_changes_too_often';
		return next;
		return;
	end if;
	-- Deletes prices past their last use: KNOWN_PRICE_MS of lib/x402/rules.ts.
	delete from request_prices where agent_id = _agent_id and not price_holds(ended_at, _now - interval '2 minutes');
	update request_prices set ended_at = _now
	where agent_id = _agent_id and ended_at is null
		and (name, asset, amount) not in (select * from unnest(_names, _assets, _amounts));
	_is_changed := found;
	insert into request_prices (agent_id, name, asset, amount)
	select _agent_id, name, asset, amount from unnest(_names, _assets, _amounts) as requested (name, asset, amount)
	on conflict (agent_id, name, asset, amount) do update set ended_at = null
	where request_prices.ended_at is not null;
	_is_changed := _is_changed or found;
	update agents set request_prices = requested.prices, lowest_request_price = lowest
	from (
		select count(*)::smallint as prices, min(amount) filter (where asset = _cred) as lowest
		from unnest(_assets, _amounts) as requested (asset, amount)) as requested
	where id = _agent_id and (agents.request_prices, agents.lowest_request_price) is distinct from (requested.prices, lowest);
	outcome := 'set';
	if _is_changed then
		select refreshed.is_catalog_changed, refreshed.probe_at into is_catalog_changed, probe_at
		from refresh_resources(_agent_id, false, _now) as refreshed;
		is_catalog_changed := is_catalog_changed
			or exists (select from request_resources where agent_id = _agent_id and state = 'listed');
	end if;
	return next;
end $$;
