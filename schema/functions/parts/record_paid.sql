-- Counts collected charges: in what payers, owners' layers and hires come to, in the scores of the
-- agents (locked by the caller), and in the standings of both sides. A hire of one's own agent counts
-- nothing. A charge must be counted once, ever: nothing here keeps it from counting again. An agent
-- that was paid is listed by word and layer for good. `_fee_step` is the setting FEE_STEP in lamports,
-- more than 0.
create function record_paid(_collected charges[], _fee_step bigint) returns void language plpgsql as $$
#variable_conflict use_column
begin
	-- Hires of locked agents: nobody else changes these rows.
	insert into hire_payments (hire_id, collected)
	select hire_id, sum(amount) from unnest(_collected) where owner <> hirer group by hire_id
	on conflict (hire_id) do update set collected = hire_payments.collected + excluded.collected;

	insert into owner_layers (owner, layer, fee)
	select owner, layer, sum(fee) from unnest(_collected) where owner <> hirer and layer is not null
	group by owner, layer order by owner, layer
	on conflict (owner, layer) do update set fee = owner_layers.fee + excluded.fee;

	with paying as (
		select kind, payee, hirer as payer, sum(fee) as fee
		from unnest(_collected), lateral (values ('agent', agent_id::text), ('owner', owner)) as each (kind, payee)
		where owner <> hirer group by kind, payee, hirer),
	paid as (
		insert into payers (kind, payee, payer, fee, fee_step)
		select kind, payee, payer, fee, _fee_step from paying order by kind, payee, payer
		on conflict (kind, payee, payer) do update set fee = payers.fee + excluded.fee
		returning kind, payee, payer, fee, fee_step, rating),
	gained as (
		select kind, payee, payer, rating,
			payer_weight(paid.fee, fee_step) - payer_weight(paid.fee - paying.fee, fee_step) as weight
		from paid join paying using (kind, payee, payer)),
	more as (
		select payee::uuid as agent_id, sum(weight)::bigint as weight,
			coalesce(sum(weight) filter (where is_satisfied(rating)), 0)::bigint as satisfied_weight,
			coalesce(sum(weight) filter (where rating is not null), 0)::bigint as rated_weight,
			coalesce(sum(rating * weight), 0)::bigint as rating_sum
		from gained where kind = 'agent' group by payee),
	scored as (
		update agents set payers_weight = payers_weight + weight,
			satisfied_weight = agents.satisfied_weight + more.satisfied_weight,
			rated_weight = agents.rated_weight + more.rated_weight, rating_sum = agents.rating_sum + more.rating_sum,
			reputation_score = agent_score(hirers, payers_weight + weight, agents.satisfied_weight + more.satisfied_weight),
			is_listed = true, listed_until = null
		from more where id = agent_id)
	insert into standings (wallet, payers_weight, satisfied_weight, paid_weight)
	select wallet, sum(received)::bigint, coalesce(sum(received) filter (where is_satisfied(rating)), 0)::bigint, sum(given)::bigint
	from gained, lateral (values (payee, weight, 0), (payer, 0, weight)) as share (wallet, received, given)
	where kind = 'owner' group by wallet order by wallet
	on conflict (wallet) do update set payers_weight = standings.payers_weight + excluded.payers_weight,
		satisfied_weight = standings.satisfied_weight + excluded.satisfied_weight,
		paid_weight = standings.paid_weight + excluded.paid_weight;
end $$;
