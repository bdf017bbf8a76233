-- Revokes a proof, once, if it is still the one read at `_slot`; it may have been revoked and proven again
-- since. The attestation is rejected, with its former level and expiry, and an event is published.
-- outcome: revoked | another_proof
-- optional: slot, expires_at
create function revoke_proof(
	_id uuid, _slot bigint, _level text, _expires_at timestamptz, _reason text, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	attestation attestations;
	_to_notify text[] := '{}';
begin
	select * into attestation from attestations where id = _id for update;
	outcome := case
		when attestation.verification_level = 'on_chain_proven' and attestation.proof_slot is not distinct from _slot
			then 'revoked'
		else 'another_proof' end;
	if outcome = 'revoked' then
		update attestations set status = 'rejected', verification_level = _level, expires_at = _expires_at,
			decided_at = _now, reason = _reason
		where id = attestation.id returning * into attestation;
		_to_notify := publish_event('attestation.revoked', _now, _now, attestation.wallet, null, null,
			attestation_data(attestation));
	end if;
	return query select outcome, _to_notify;
end $$;
