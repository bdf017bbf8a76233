-- Takes a priced route of an agent of the wallet out of the catalog, or lets it be listed again. Then it is
-- probed first: at once, or an hour after its last probe.
-- due: looks at probe_at, if the route is shown; catalog a minute later, if is_catalog_changed
-- outcome: changed | agent_not_found | route_not_found
-- nullable: probe_at
create function hide_resource(_session_wallet text, _session_generation integer,
	_agent_id uuid, _owner text, _price_name text, _is_hidden boolean, _now timestamptz)
returns table (outcome text, is_catalog_changed boolean, probe_at timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	perform assert_session(_session_wallet, _session_generation);
	is_catalog_changed := false;
	perform from agents where id = _agent_id and pubkey = _owner for no key update;
	if not found then
		outcome := 'agent_not_found';
		return next;
		return;
	end if;
	update request_resources set is_hidden = _is_hidden where agent_id = _agent_id and price_name = _price_name;
	if not found then
		outcome := 'route_not_found';
		return next;
		return;
	end if;
	outcome := 'changed';
	select refreshed.is_catalog_changed, refreshed.probe_at into is_catalog_changed, probe_at
	from refresh_resources(_agent_id, false, _now) as refreshed;
	return next;
end $$;
