-- Whether the addresses by which a vault was judged differ from its key version's deployed addresses: with
-- wrong settings every vault has foreign signers. False if either is unknown.
create function vault_keys_differ(_key_version smallint, _authority text, _recovery text)
returns boolean language sql stable as $$
	select exists (select from vault_generations
		where generation = _key_version and (authority <> _authority or recovery <> _recovery))
$$;
