-- Publishes that a position was withdrawn. Returns the endpoints and wallets to notify.
create function publish_position_closed(_position positions, _now timestamptz) returns text[] language sql as $$
	select publish_event('vault.position_closed', _now, _position.withdrawn_at, _position.owner, null, null, json_build_object(
		'owner', _position.owner,
		'positionId', _position.id,
		'address', _position.address,
		'amount', _position.principal))
$$;
