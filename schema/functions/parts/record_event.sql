-- Records an event in the logs of its wallets, and returns its id. `publish_event` also sends it to webhook
-- endpoints.
create function record_event(
	_type text, _now timestamptz, _occurred_at timestamptz, _wallet text, _counterparty text, _agent_id uuid, _data json)
returns uuid language sql as $$
	insert into events (id, type, occurred_at, recorded_at, wallet, counterparty, agent_id, data)
	values (event_id(_now), _type, _occurred_at, _now, _wallet, nullif(_counterparty, _wallet), _agent_id, json_strip_nulls(_data))
	returning id
$$;
