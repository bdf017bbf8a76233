-- Counts hires that have run their first term for reputations: a hirer for each agent (locked by the caller),
-- a counterparty for each side. The three lists have an entry for each hire. A pair of agent and wallet, or
-- of two wallets, counts once, when its row is inserted. A hire of one's own agent does not count. Rows are
-- written in the order of their keys, pairs before totals, so that transactions do not deadlock.
create function record_completed(_agent_ids uuid[], _owners text[], _hirers text[])
returns void language plpgsql as $$
#variable_conflict use_column
begin
	with hirer as (
		insert into agent_hirers (agent_id, wallet)
		select distinct agent_id, wallet from unnest(_agent_ids, _owners, _hirers) as hire (agent_id, owner, wallet)
		where wallet <> owner
		on conflict do nothing
		returning agent_id),
	more as (select agent_id, count(*)::integer as hirers from hirer group by agent_id)
	update agents set hirers = agents.hirers + more.hirers,
		reputation_score = agent_score(agents.hirers + more.hirers, payers_weight, satisfied_weight)
	from more where agents.id = more.agent_id;

	with pair as (
		insert into dealings (wallet, kind, other)
		select made.* from unnest(_owners, _hirers) as hire (owner, hirer), lateral (values
			(owner, 'hirer', hirer), (owner, 'counterparty', hirer), (hirer, 'counterparty', owner)) as made (wallet, kind, other)
		where hirer <> owner
		group by 1, 2, 3 order by 1, 2, 3
		on conflict do nothing
		returning wallet, kind)
	insert into standings (wallet, hirers, counterparties)
	select wallet, count(*) filter (where kind = 'hirer'), count(*) filter (where kind = 'counterparty')
	from pair group by wallet order by wallet
	on conflict (wallet) do update set hirers = standings.hirers + excluded.hirers,
		counterparties = standings.counterparties + excluded.counterparties;
end $$;
