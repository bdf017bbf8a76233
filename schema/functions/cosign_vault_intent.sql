-- Records the one message of a transaction that its owner's wallet has signed first, before the authority
-- signs. The intent must be open, built after `_built_after` and without a message. Its transaction must be
-- the one that the message was checked against. Every signature of the authority at the relay follows this.
-- A stack or the opening of a vault is admitted now. It uses its share of the yield limits.
-- due: settlement five seconds after the message is recorded; positions a minute after a stack's is
-- outcome: recorded | not_found | already_cosigned | over | stacking_paused | too_many_open_stacks | positions_full | yield_limit
-- nullable: capacity
-- types: capacity Cred
create function cosign_vault_intent(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _transaction text, _message text, _network_signature text,
	_last_valid_block_height bigint, _built_after timestamptz, _yield_day date, _per_wallet bigint, _per_day bigint,
	_lease_end timestamptz, _now timestamptz)
returns table (outcome text, capacity bigint)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	intent vault_intents;
	_is_stack boolean;
	_is_new boolean;
begin
	perform assert_session(_session_wallet, _session_generation);
	insert into vaults (owner, settled_at) values (_owner, _lease_end) on conflict do nothing;
	_is_new := found;
	perform from vaults where owner = _owner for no key update;
	select * into intent from vault_intents where id = _id and owner = _owner for update;
	_is_stack := intent.kind in ('stack', 'open_vault');
	outcome := case
		when intent.id is null or intent.transaction <> _transaction then 'not_found'
		when intent.cosigned_at is not null then 'already_cosigned'
		when intent.status <> 'open' or intent.signing <> 'wallet_first'
			or intent.created_at <= _built_after then 'over'
		else 'recorded' end;
	if outcome = 'recorded' and _is_stack then
		select * into outcome, capacity from admit_stack(
			_owner, intent.generation, intent.signing, coalesce(intent.yield, 0), _yield_day, _per_wallet, _per_day, _now);
	end if;
	if outcome = 'recorded' then
		update vault_intents set cosigned_message = _message, network_signature = _network_signature,
			last_valid_block_height = _last_valid_block_height, cosigned_at = _now,
			yield_day = case when _is_stack then _yield_day else yield_day end, due_at = first_check(_now)
		where id = intent.id;
	elsif _is_new then
		-- The first signed transaction creates the row.
		delete from vaults where owner = _owner;
	end if;
	return query select outcome, capacity;
end $$;
