-- Redeems an authorization code: records the grant of its wallet to its client, and the event. A code that
-- is redeemed again ends its grant, because one of both callers may have stolen it. A revocation of the
-- wallet's sessions since the consent ends the code. Locks the wallet's row, so that neither a revocation nor
-- another code of the wallet comes in between. A wallet has 20 active grants; above that, the least recently
-- used ends.
-- outcome: redeemed | code_used | consent_revoked
-- optional: host, spend_limit
create function redeem_code(_id uuid, _wallet text, _epoch integer, _client text, _name text, _host text,
	_permissions text[], _spend_limit bigint, _expires_at timestamptz, _now timestamptz)
returns table (outcome text, nudges text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	most_active constant integer := 20; -- GRANTS_PER_WALLET of rules.ts
	_nudges text[] := '{}';
begin
	perform from wallets where address = _wallet and session_generation = _epoch for no key update;
	if not found then
		return query select 'consent_revoked', _nudges;
		return;
	end if;
	insert into grants (id, wallet, session_generation, kind, client, name, host, permissions, spend_limit, rotated_at,
		created_at, last_used_at, expires_at)
	values (_id, _wallet, _epoch, 'app', _client, _name, _host, _permissions, _spend_limit, _now, _now, _now, _expires_at)
	on conflict (id) do nothing;
	if not found then
		update grants set ended_at = _now where id = _id and ended_at is null;
		return query select 'code_used', _nudges;
		return;
	end if;
	update grants set ended_at = _now
	where id = any (array(
		select id from grants where wallet = _wallet and id <> _id and is_active_grant(grants, _now)
		order by last_used_at desc, id desc offset most_active - 1));
	_nudges := tell('access.granted', _now, _now, _wallet, null, null, json_build_object(
		'grantId', _id,
		'wallet', _wallet,
		'name', _name,
		'host', _host,
		'permissions', _permissions,
		'spendLimit', _spend_limit,
		'expiresAt', wire_time(_expires_at)));
	return query select 'redeemed', _nudges;
end $$;
