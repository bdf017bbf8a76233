-- Disables a webhook endpoint for a reason, and publishes that to its owner, unless it is disabled or its
-- owner has set it again since `_set_until`. Of its URL, whose path may be a secret, the event has the host
-- alone: programs that may only read see it. Returns the owner's other endpoints, to enqueue.
create function disable_endpoint(_endpoint_id uuid, _kind text, _wallet text, _url text, _reason text,
	_set_until timestamptz, _now timestamptz)
returns text[] language plpgsql as $$
begin
	if _kind = 'agent' then
		update agents set webhook_disabled_at = _now, webhook_disabled_reason = _reason
		where id = _endpoint_id and webhook_url = _url and webhook_disabled_at is null
			and coalesce(webhook_set_at, registered_at) <= _set_until;
	else
		update endpoints set disabled_at = _now, disabled_reason = _reason
		where id = _endpoint_id and url = _url and disabled_at is null and set_at <= _set_until;
	end if;
	if not found then
		return '{}';
	end if;
	return publish_event('endpoint.disabled', _now, _now, _wallet, null, null, json_build_object(
		'endpointId', _endpoint_id,
		'agentId', case when _kind = 'agent' then _endpoint_id end,
		'host', substring(_url from '^https://([^/?#]*)'),
		'reason', _reason));
end $$;
