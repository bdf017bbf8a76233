-- Registers an agent. It counts against the wallet's quotas of agents and of active agents, which CHECK
-- constraints of wallet_quotas limit, and against the client address, per hour. `webhook_secret` is the
-- encrypted secret of its webhook.
-- outcome: registered | too_many_agents
-- due: looks a minute later, if it names an endpoint
-- optional: webhook_secret
create function register_agent(_session_wallet text, _session_generation integer,
	_agent json, _webhook_secret text, _address_hash text, _agents_per_address integer, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents := json_populate_record(null::agents, _agent);
begin
	perform assert_session(_session_wallet, _session_generation);
	if not count_call(agent.pubkey, _address_hash, _agents_per_address, _now) then
		return query select 'too_many_agents', '{}'::text[];
		return;
	end if;
	insert into wallet_quotas (wallet, agents, active_agents) values (agent.pubkey, 1, 1)
	on conflict (wallet) do update set agents = wallet_quotas.agents + 1, active_agents = wallet_quotas.active_agents + 1;
	insert into agents (id, pubkey, name, description, agent_type, supported_layers, fee_model, fee_amount, api_endpoint,
		api_protocol, webhook_url, webhook_set_at, logo_url, status, registered_at, listed_until)
	values (agent.id, agent.pubkey, agent.name, agent.description, agent.agent_type, agent.supported_layers,
		agent.fee_model, agent.fee_amount, agent.api_endpoint, agent.api_protocol, agent.webhook_url,
		case when agent.webhook_url is not null then _now end, agent.logo_url, 'active', _now, idle_after(_now))
	returning * into agent;
	if _webhook_secret is not null then
		insert into agent_webhook_secrets (agent_id, secret) values (agent.id, _webhook_secret);
	end if;
	return query select 'registered', publish_event('agent.registered', _now, _now, agent.pubkey, null, agent.id, json_build_object(
		'agentId', agent.id,
		'name', agent.name,
		'agentType', agent.agent_type,
		'supportedLayers', agent.supported_layers,
		'feeModel', agent.fee_model,
		'feeAmount', agent.fee_amount,
		'status', agent.status));
end $$;
