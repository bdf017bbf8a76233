-- Changes an agent's status, price, or other columns by name (null clears one). The owner may change it in
-- the statuses of `_owner_from`, an operator in the statuses of `_operator_from`. Due hires are left to the
-- job run; `pauses` stores when the agent was inactive, so the new status does not change the past. A CHECK
-- constraint of wallet_quotas limits active agents. Each change by the owner counts per agent and day, and
-- per client address and hour, because it writes an event, listings or indexes. A new endpoint counts as a
-- new agent instead, because it is probed. An agent that its owner makes active is listed by word and
-- layer. `webhook_secret`, encrypted, becomes the agent's secret unless it has one (`is_secret_new`). An
-- agent keeps its secret when its webhook URL changes or is removed.
-- due: looks a minute later, if endpoint or status was changed; catalog likewise, if is_catalog_changed
-- outcome: changed | agent_not_found | not_allowed | too_many_changes | too_many_agents | address_changes_too_often
-- optional: status, reason, webhook_secret
-- nullable: status_before
-- types: status_before AgentStatus
create function change_agent(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _is_operator boolean, _changes json, _webhook_secret text, _status text, _reason text,
	_owner_from text[], _operator_from text[], _changes_per_day integer, _address_hash text,
	_agents_per_address integer, _changes_hash text, _changes_per_address integer, _now timestamptz)
returns table (outcome text, status_before text, is_secret_new boolean, is_catalog_changed boolean, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	changed agents;
	_before text;
	_is_counted boolean;
	_url_before text;
	_turns_active boolean;
	_unrecorded_since timestamptz;
	_is_secret_new boolean := false;
	_is_catalog_changed boolean := false;
	_endpoint_before text;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	if _changes::jsonb ? 'webhook_url' then
		perform lock_waiting(_id, _wallet);
	end if;
	select * into agent from agents where id = _id and (_is_operator or pubkey = _wallet) for no key update;
	if not found then
		return query select 'agent_not_found', null, false, false, _to_notify;
		return;
	end if;
	_before := agent.status;
	if not (agent.pubkey = _wallet and _before = any (_owner_from) or _before = any (_operator_from)) then
		return query select 'not_allowed', _before, false, false, _to_notify;
		return;
	end if;

	changed := json_populate_record(agent, _changes);
	-- Setting the same webhook again makes its waiting deliveries due, so it counts, too.
	_is_counted := agent.pubkey = _wallet and (coalesce(_status <> _before, false) or changed is distinct from agent
		or _changes::jsonb ? 'webhook_url');
	if _is_counted and agent.status_day >= (_now at time zone 'UTC')::date and agent.status_changes >= _changes_per_day then
		return query select 'too_many_changes', _before, false, false, _to_notify;
		return;
	end if;
	if _changes::jsonb ->> 'api_endpoint' <> coalesce(agent.api_endpoint, '') then
		if not count_call(agent.pubkey, _address_hash, _agents_per_address, _now) then
			return query select 'too_many_agents', _before, false, false, _to_notify;
			return;
		end if;
	elsif _is_counted then
		if not count_call(agent.pubkey, _changes_hash, _changes_per_address, _now) then
			return query select 'address_changes_too_often', _before, false, false, _to_notify;
			return;
		end if;
	end if;

	_url_before := agent.webhook_url;
	_endpoint_before := agent.api_endpoint;
	if _changes::text <> '{}' then
		agent := changed;
		update agents set fee_model = agent.fee_model, fee_amount = agent.fee_amount,
			description = agent.description, api_endpoint = agent.api_endpoint,
			api_protocol = agent.api_protocol, webhook_url = agent.webhook_url, logo_url = agent.logo_url
		where id = _id;
	end if;
	if _changes::jsonb ? 'webhook_url' then
		update agents set webhook_set_at = _now, webhook_disabled_at = null, webhook_disabled_reason = null
		where id = _id;
		perform url_was_set(_id, agent.pubkey, _url_before, agent.webhook_url, _now);
		if agent.webhook_url is not null and _webhook_secret is not null then
			insert into agent_webhook_secrets (agent_id, secret) values (_id, _webhook_secret)
			on conflict (agent_id) do nothing;
			_is_secret_new := found;
		end if;
	end if;

	_turns_active := _status = 'active';
	if _turns_active <> (_before = 'active') then
		insert into wallet_quotas (wallet, active_agents) values (agent.pubkey, _turns_active::integer)
		on conflict (wallet) do update set active_agents =
			greatest(0, wallet_quotas.active_agents + case when _turns_active then 1 else -1 end);
		-- Pauses before the oldest unrecorded term no longer affect any hire. A term that ends at this very
		-- moment ends before the change.
		select expires_at into _unrecorded_since from hires
		where agent_id = _id and status = 'active' and expires_at <= _now order by expires_at limit 1;
		agent.pauses := agent.pauses - tstzmultirange(tstzrange(null, _unrecorded_since));
		agent.pauses := case when _turns_active then agent.pauses - span_after(_now) else agent.pauses + span_after(_now) end;
	end if;
	if _status is not null then
		update agents set status = _status, status_reason = _reason, pauses = agent.pauses,
			is_listed = is_listed or _turns_active
		where id = _id;
	end if;
	if _is_counted then
		update agents set status_day = greatest(status_day, (_now at time zone 'UTC')::date),
			status_changes = 1 + case when status_day >= (_now at time zone 'UTC')::date then status_changes else 0 end
		where id = _id;
	end if;
	if _status <> _before or agent.api_endpoint is distinct from _endpoint_before then
		select is_catalog_changed into _is_catalog_changed
		from refresh_resources(_id, agent.api_endpoint is distinct from _endpoint_before, _now);
	end if;
	if _status <> _before then
		_to_notify := _to_notify || publish_event('agent.status_changed', _now, _now, agent.pubkey, null, _id, json_build_object(
			'agentId', _id,
			'status', _status,
			'previousStatus', _before,
			'reason', _reason));
	end if;
	return query select 'changed', _before, _is_secret_new, _is_catalog_changed, _to_notify;
end $$;
