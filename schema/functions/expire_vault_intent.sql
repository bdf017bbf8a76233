-- Records that a built transaction of the vault can't take effect any more. It does nothing if the relay
-- has signed the transaction since it was read: the signature and last block must be the given ones. Frees
-- the positions of a claim, and a stack's count and share of the yield limits. A search for a signed stack
-- starts again ten minutes after it was built. After a withdrawal that a donation has blocked, the next one
-- leaves the position's account open.
-- outcome: expired | over | changed
-- optional: network_signature
create function expire_vault_intent(_id uuid, _owner text, _network_signature text, _last_valid_block_height bigint,
	_is_blocked boolean, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	intent vault_intents;
begin
	perform from vaults where owner = _owner for no key update;
	select * into intent from vault_intents where id = _id for update;
	outcome := case
		when intent.status is distinct from 'open' then 'over'
		when intent.network_signature is distinct from _network_signature
			or intent.last_valid_block_height <> _last_valid_block_height then 'changed'
		else 'expired' end;
	if outcome = 'expired' then
		update vault_intents set status = 'expired', resolved_at = _now,
			-- RECHECK_MS of lib/transactions/confirmation/check-schedule.ts. An earlier due time is not moved forward.
			due_at = case when kind = 'stack' and due_at is not null then greatest(due_at, created_at + interval '10 minutes') end
		where id = intent.id;
		perform free_claimed(array[intent.id]);
		if _is_blocked then
			update positions set leave_open = true from vault_intent_legs as leg
			where leg.intent_id = intent.id and positions.address = leg.address;
		end if;
		if intent.kind in ('stack', 'open_vault') then
			perform settle_stack(intent, false);
		end if;
	end if;
	return query select outcome;
end $$;
