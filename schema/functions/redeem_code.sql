-- Redeems an authorization code: records the grant of its wallet to its client, and the event. A code that
-- is redeemed again ends its grant, because one of both callers may have stolen it. A revocation of the
-- wallet's sessions since the consent ends the code. Locks the wallet's row, so that neither a revocation nor
-- another grant of the wallet comes in between.
-- outcome: redeemed | code_used | consent_revoked
-- optional: host, spend_limit
create function redeem_code(_id uuid, _wallet text, _epoch integer, _client text, _name text, _host text,
	_permissions text[], _spend_limit bigint, _expires_at timestamptz, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_to_notify text[] := '{}';
begin
	perform from wallets where address = _wallet and session_generation = _epoch for no key update;
	if not found then
		return query select 'consent_revoked', _to_notify;
		return;
	end if;
	_to_notify := add_grant(_id, _wallet, _epoch, 'app', _client, _name, _host, null, _permissions, _spend_limit,
		_expires_at, _now);
	if _to_notify is null then
		update grants set ended_at = _now where id = _id and ended_at is null;
		return query select 'code_used', '{}'::text[];
		return;
	end if;
	return query select 'redeemed', _to_notify;
end $$;
