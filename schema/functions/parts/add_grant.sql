-- Adds a grant of a wallet, and publishes `access.granted`. Returns what to notify; null if the grant exists.
-- A wallet has 20 active grants; above that, the least recently used ends. The caller has locked the wallet's
-- row.
create function add_grant(_id uuid, _wallet text, _epoch integer, _kind text, _client text, _name text, _host text,
	_public_key text, _permissions text[], _spend_limit bigint, _expires_at timestamptz, _now timestamptz)
returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	most_active constant integer := 20; -- GRANTS_PER_WALLET of lib/auth/grants/rules.ts
begin
	insert into grants (id, wallet, session_generation, kind, client, name, host, public_key, permissions, spend_limit,
		rotated_at, created_at, last_used_at, expires_at)
	values (_id, _wallet, _epoch, _kind, _client, _name, _host, _public_key, _permissions, _spend_limit,
		_now, _now, _now, _expires_at)
	on conflict (id) do nothing;
	if not found then
		return null;
	end if;
	update grants set ended_at = _now
	where id = any (array(
		select id from grants where wallet = _wallet and id <> _id and is_active_grant(grants, _now)
		order by last_used_at desc, id desc offset most_active - 1));
	return publish_event('access.granted', _now, _now, _wallet, null, null, json_build_object(
		'grantId', _id,
		'kind', _kind,
		'wallet', _wallet,
		'name', _name,
		'host', _host,
		'permissions', _permissions,
		'spendLimit', _spend_limit,
		'expiresAt', wire_time(_expires_at)));
end $$;
