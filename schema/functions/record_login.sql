-- Spends a nonce, records the wallet's login, and lists its idle active agents by word and layer again.
-- Returns the wallet's session `epoch` and whether it owns the agent. A nonce can be spent once.
-- outcome: recorded | nonce_spent
-- optional: agent_id
create function record_login(_nonce text, _expires_at timestamptz, _wallet text, _agent_id uuid, _now timestamptz)
returns table (outcome text, epoch integer, owns_agent boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_epoch integer;
begin
	insert into spent_nonces (nonce, expires_at) values (_nonce, _expires_at) on conflict do nothing;
	if not found then
		return query select 'nonce_spent', 0, false;
		return;
	end if;
	insert into wallets (address, first_login_at, last_login_at) values (_wallet, _now, _now)
	on conflict (address) do update set last_login_at = greatest(wallets.last_login_at, _now)
	returning session_generation into _epoch;
	perform list_agents(_wallet);
	return query select 'recorded', _epoch, exists (select from agents where id = _agent_id and pubkey = _wallet);
end $$;
