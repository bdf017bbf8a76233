-- Records that a built transaction of the vault has failed, even if it was considered expired. If a stack
-- was withdrawn before anyone saw it, its yield has left the treasury. That takes the recovery key, so it
-- stops new stacks of its key version, like every early payout. The yield of a stack without proof counts
-- as taken, and stops nothing. With settings of other keys than the deployed ones, nothing is recorded as
-- failed.
-- outcome: failed | over | keys_differ
create function fail_vault_intent(_id uuid, _owner text, _reason text, _authority text, _recovery text,
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	intent vault_intents;
begin
	perform from vaults where owner = _owner for no key update;
	select * into intent from vault_intents where id = _id for update;
	outcome := case
		when intent.status in ('open', 'expired') then
			case when vault_keys_differ(intent.generation, _authority, _recovery) then 'keys_differ' else 'failed' end
		else 'over' end;
	if outcome = 'failed' then
		update vault_intents set status = 'failed', resolved_at = _now, reason = _reason where id = intent.id;
		perform free_claimed(array[intent.id]);
		if intent.kind in ('stack', 'open_vault') then
			perform settle_stack(intent, _reason in ('left_before_seen', 'unproven'));
		end if;
		if _reason = 'left_before_seen' then
			perform trip_breaker(intent.generation, _now);
		end if;
	end if;
	return query select outcome;
end $$;
