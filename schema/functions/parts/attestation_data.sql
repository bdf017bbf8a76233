-- Makes the payload of an event about an attestation.
create function attestation_data(_attestation attestations) returns json language sql stable as $$
	select json_build_object(
		'attestationId', _attestation.id,
		'wallet', _attestation.wallet,
		'credentialType', _attestation.credential_type,
		'credentialId', _attestation.credential_id,
		'verificationLevel', _attestation.verification_level,
		'decidedBy', _attestation.decided_by,
		'reason', _attestation.reason)
$$;
