-- Records the results of a host's leased priced routes, and pauses the host until
-- `_free_at`. An outcome is `listed`, `busy` (the host asks to wait until `_busy_until`), `left` (not
-- probed), or the code of a finding. The first finding leaves a listed route in the catalog, except one of
-- `at_once`, but is stored. A route whose lease was taken away is skipped. Routes that wait for consent
-- become due when the host names their agent by another route. Paid routes are probed at each scheduled run,
-- others once a day.
-- due: looks at a scheduled run (its job run answers); catalog a minute later, if is_catalog_changed
create function record_resources(_host text, _lease uuid, _lease_end timestamptz, _agent_ids uuid[], _price_names text[],
	_urls text[], _outcomes text[], _documents text[], _busy_until timestamptz[], _free_at timestamptz,
	_next_scheduled_run timestamptz, _next_daily timestamptz, _now timestamptz)
returns table (recorded integer, is_catalog_changed boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	used_for constant interval := interval '7 days'; -- USED_RESOURCE_MS of lib/x402/rules.ts
	-- The agent or its owner ended these, or the host forbids probes.
	at_once constant text[] := '{no_endpoint,not_active,price_ended,opted_out}';
	never_again constant text[] := '{no_endpoint,not_active,price_ended}';
	_named uuid[];
begin
	perform from probed_hosts where host = _host for update;
	perform from request_resources where agent_id = any (_agent_ids) order by agent_id, price_name for update;
	with result as (
		select agent_id as result_agent, price_name as result_price, outcome, result.document as result_document,
			result.url as result_url, busy_until, state as former_state, resource.document as former_document,
			outcome in ('busy', 'left') as is_unknown,
			case when coalesce(paid_at > _now - used_for, false) then _next_scheduled_run else _next_daily end as regular,
			case
				when outcome in ('busy', 'left') then state
				when outcome = 'listed' or state = 'listed' and failures = 0 and outcome <> all (at_once) then 'listed'
				else 'rejected' end as result_state
		from unnest(_agent_ids, _price_names, _urls, _outcomes, _documents, _busy_until)
			as result (named_agent, named_price, url, outcome, document, busy_until)
		join request_resources as resource on agent_id = named_agent and price_name = named_price and lease = _lease),
	updated as (
		update request_resources set lease = null, begun = 0, state = result_state,
			code = case when is_unknown then code when outcome <> 'listed' then outcome end,
			document = case when result_state <> 'listed' then null when outcome = 'listed' then result_document else document end,
			url = case when is_unknown then url else result_url end,
			checked_at = case when is_unknown or outcome = 'not_named' or outcome = any (never_again) then checked_at else _now end,
			failures = case when is_unknown then failures when outcome = 'listed' then 0 else least(failures + 1, 100) end,
			changed_at = case
				when (former_state = 'listed') <> (result_state = 'listed')
					or outcome = 'listed' and result_document <> former_document then _now
				else changed_at end,
			next_probe_at = case
				when outcome = any (never_again) then null
				when outcome = 'busy' then greatest(busy_until, case when former_state <> 'pending' then regular end)
				when outcome = 'left' and former_state = 'pending' then _free_at
				when outcome = 'left' then greatest(_free_at, _next_scheduled_run)
				else regular end
		from result
		where agent_id = result_agent and price_name = result_price
		returning agent_id, price_name, outcome, changed_at = _now
			and (former_state = 'listed' or result_state = 'listed') as is_shown_differently)
	select count(*)::integer, coalesce(bool_or(is_shown_differently), false),
		array_agg(agent_id) filter (where outcome = 'listed' and price_name ~ '^(GET|HEAD) ')
	into recorded, is_catalog_changed, _named from updated;
	update request_resources set state = 'pending', code = null, next_probe_at = _free_at
	where agent_id = any (_named) and state = 'rejected' and code = 'not_named' and lease is null;
	if recorded > 0 then
		update probed_hosts set free_at = _free_at, endpoints_next = true, next_turn_at = greatest(next_turn_at, case
			when next_turn_at is not null then _free_at end)
		where host = _host and free_at = _lease_end;
	end if;
	return next;
end $$;
