-- Publishes an event: records it and enqueues it for the webhook endpoints that subscribe to it, of the
-- wallets with it in their logs, and of its agent. Returns the ids of these endpoints and the addresses of
-- the listening wallets, to notify. It reads them after the insert. A wallet that starts to listen later
-- finds the inserting transaction still running, and reads again. The cause of an event of a hire or job is
-- the hirer, or the owner that accepted, declined or ended it. The caller has locked the agent.
create function publish_event(
	_type text, _now timestamptz, _occurred_at timestamptz, _wallet text, _counterparty text, _agent_id uuid, _data json)
returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	_event_id uuid := record_event(_type, _now, _occurred_at, _wallet, _counterparty, _agent_id, _data);
	_cause text := case
		when _data ->> 'endedBy' = 'owner' or _data ->> 'endReason' = 'declined' or _type = 'job.accepted' then _wallet
		else coalesce(_counterparty, _wallet) end;
	_is_free boolean := (_type like 'hire.%' or _type in ('job.posted', 'job.accepted', 'job.cancelled')) and not is_paying(_cause);
	_to_notify text[];
begin
	with delivery as (
		insert into deliveries (endpoint_id, event_id, wallet, created_at, next_attempt_at, rank)
		select endpoints.id, _event_id, endpoints.wallet, _now, _now,
			delivery_rank(_type, endpoints.wallet, _wallet, _is_free, _cause) from endpoints
		where endpoints.wallet = any (array[_wallet, _counterparty])
			and (event_types = '{}' or _type = any (event_types))
			and (agent_ids = '{}' or _agent_id = any (agent_ids))
		union all
		select agents.id, _event_id, _wallet, _now, _now,
			delivery_rank(_type, _wallet, _wallet, _is_free, _cause) from agents
		where agents.id = _agent_id and webhook_url is not null
		returning endpoint_id)
	select array_agg(endpoint_id::text) into _to_notify from delivery;
	return coalesce(_to_notify, '{}') || array(
		select address from wallets where address in (_wallet, _counterparty) and listens_until > _now);
end $$;
