-- Records that a built transaction of the vault has failed, even if it was considered expired.
--
-- A stack can be on the chain and withdrawn again before a job sees it. Its yield has then left the treasury
-- before the term ended, which only a holder of the recovery key can do. So new stacks of that key version
-- stop, as after every early payout. If it is unknown whether that happened, the yield counts as paid, and
-- nothing stops. If the caller's settings have other keys than the deployment, nothing is recorded.
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
