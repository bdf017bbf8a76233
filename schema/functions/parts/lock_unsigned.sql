-- Locks those intents in a list that are the owner's, open and not signed by the authority, in the order of
-- their ids, and returns their ids. The caller has locked the owner's row, so none of them is signed before
-- the caller commits.
create function lock_unsigned(_intent_ids uuid[], _owner text) returns uuid[] language sql as $$
	select coalesce(array_agg(id), '{}') from (
		select id from vault_intents
		where id = any (_intent_ids) and owner = _owner and status = 'open'
			and signing = 'wallet_first' and cosigned_at is null
		order by id for update) as unsigned
$$;
