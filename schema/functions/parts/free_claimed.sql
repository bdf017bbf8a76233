-- Frees the positions of these claims, in the order in which claims and observations lock them. The caller
-- has locked the claims' intents.
create function free_claimed(_intent_ids uuid[]) returns void language plpgsql as $$
#variable_conflict use_column
begin
	perform from positions
	where address in (select address from vault_intent_legs where intent_id = any (_intent_ids))
		and open_claim = any (_intent_ids)
	order by address for update;
	update positions set open_claim = null
	where address in (select address from vault_intent_legs where intent_id = any (_intent_ids))
		and open_claim = any (_intent_ids);
end $$;
