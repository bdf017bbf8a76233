-- Lists a wallet's idle active agents by word and layer again: at most 200, its quota of active agents. Locks
-- the wallet's row first, because `unlist_idle_agents` skips locked wallets, and agents that it unlisted
-- before are visible here.
create function list_agents(_wallet text) returns void language plpgsql as $$
#variable_conflict use_column
begin
	perform from wallets where address = _wallet for no key update;
	update agents set is_listed = true
	where id = any (array(
		select id from agents where pubkey = _wallet and status = 'active' and not is_listed
		order by id limit 200 for no key update));
end $$;
