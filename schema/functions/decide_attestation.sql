-- Decides an attestation whose status is `_from`, and publishes an event. The decider `_by` must not be
-- the attestation's own wallet. Locks the attestation's row, so that one of several concurrent decisions
-- counts. `_status` is verified or rejected. `_expires_at` is an earlier end than the credential's own.
-- `_proof_slot` is the slot at which the account `_by` proved the attestation; the constraint
-- attestations_one_for_each_proof rejects an account that has proven another one. Agents of a verified
-- wallet are listed by word and layer.
-- outcome: decided | attestation_not_found | own_attestation | not_in_status
-- optional: reason, level, expires_at, proof_slot
create function decide_attestation(_session_wallet text, _session_generation integer,
	_id uuid, _from text, _status text, _by text, _reason text, _level text,
	_expires_at timestamptz, _proof_slot bigint, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	attestation attestations;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into attestation from attestations where id = _id for update;
	outcome := case
		when not found then 'attestation_not_found'
		when attestation.wallet = _by then 'own_attestation'
		when attestation.status = _from then 'decided'
		else 'not_in_status' end;
	if outcome = 'decided' then
		if _status = 'verified' then
			perform list_agents(attestation.wallet);
		end if;
		-- least() ignores nulls.
		update attestations set status = _status, decided_at = _now, decided_by = _by, reason = _reason,
			verification_level = coalesce(_level, verification_level), expires_at = least(expires_at, _expires_at)
		where id = attestation.id returning * into attestation;
		if _proof_slot is not null then
			update attestations set proof_account = _by, proof_slot = _proof_slot, proof_seen_at = _now
			where id = attestation.id;
		end if;
		if attestation.priority = 'expedited' then
			update standings set open_expedited = greatest(open_expedited - 1, 0) where wallet = attestation.wallet;
		end if;
		_to_notify := publish_event('attestation.' || _status, _now, _now, attestation.wallet, null, null,
			attestation_data(attestation));
	end if;
	return query select outcome, _to_notify;
end $$;
