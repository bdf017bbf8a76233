-- Records a credential that a wallet claims, unless it is already recorded. An attestation is never
-- deleted. A new one counts per wallet and UTC day, which a CHECK constraint of wallet_quotas limits, and
-- per client address and hour. One sent several times at once may count several times for the address.
-- outcome: recorded | recorded_before | too_many_attestations
create function record_attestation(_session_wallet text, _session_generation integer,
	_attestation json, _address_hash text, _attestations_per_address integer, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	attestation attestations := json_populate_record(null::attestations, _attestation);
begin
	perform assert_session(_session_wallet, _session_generation);
	outcome := case
		when exists (select from attestations where wallet = attestation.wallet
			and credential_type = attestation.credential_type and credential_id = attestation.credential_id)
		then 'recorded_before'
		when not count_call(attestation.wallet, _address_hash, _attestations_per_address, _now)
		then 'too_many_attestations'
		else 'recorded' end;
	if outcome = 'recorded' then
		insert into attestations (id, wallet, credential_type, credential_id, issuing_authority, issued_date, expiry_date,
			document_url, verification_level, created_at, expires_at)
		values (attestation.id, attestation.wallet, attestation.credential_type, attestation.credential_id,
			attestation.issuing_authority, attestation.issued_date, attestation.expiry_date, attestation.document_url,
			attestation.verification_level, _now, attestation.expires_at)
		on conflict (wallet, credential_type, credential_id) do nothing;
		if found then
			insert into wallet_quotas (wallet, attestation_day, attestations)
			values (attestation.wallet, (_now at time zone 'UTC')::date, 1)
			on conflict (wallet) do update set
				attestations = 1 + case when wallet_quotas.attestation_day >= excluded.attestation_day
					then wallet_quotas.attestations else 0 end,
				attestation_day = greatest(wallet_quotas.attestation_day, excluded.attestation_day);
		end if;
	end if;
	return query select outcome;
end $$;
