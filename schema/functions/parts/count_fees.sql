-- Counts protocol fees: in the sums of payers, in the scores of the agents (locked by the caller), and in
-- the standings of both sides. The lists have an entry for each payment. `_requests_paid` is the amount
-- paid for requests, 0 for a charge. A payment to the wallet's own agent does not count. The caller must
-- count each payment once, ever: nothing here prevents a second count. `_fee_step` is the setting FEE_STEP
-- in lamports, more than 0.
create function count_fees(_agent_ids uuid[], _owners text[], _payers text[], _fees bigint[], _requests_paid bigint[],
	_fee_step bigint)
returns void language plpgsql as $$
#variable_conflict use_column
begin
	with paying as (
		select kind, payee, payer, sum(fee) as fee, sum(requests_paid) as requests_paid
		from unnest(_agent_ids, _owners, _payers, _fees, _requests_paid) as one (agent_id, owner, payer, fee, requests_paid),
			lateral (values ('agent', agent_id::text), ('owner', owner)) as each (kind, payee)
		where owner <> payer group by kind, payee, payer),
	paid as (
		insert into payers (kind, payee, payer, fee, fee_step, requests_paid)
		select kind, payee, payer, fee, _fee_step, requests_paid from paying order by kind, payee, payer
		on conflict (kind, payee, payer) do update set fee = payers.fee + excluded.fee,
			requests_paid = payers.requests_paid + excluded.requests_paid
		returning kind, payee, payer, fee, fee_step, rating),
	-- Payers with an unchanged weight change no sum.
	gained as (
		select * from (
			select kind, payee, payer, paid.rating,
				payer_weight(paid.fee, fee_step) - payer_weight(paid.fee - paying.fee, fee_step) as weight
			from paid join paying using (kind, payee, payer)) as change
		where weight > 0),
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
			reputation_score = agent_score(hirers, payers_weight + weight, agents.satisfied_weight + more.satisfied_weight)
		from more where id = agent_id)
	insert into standings (wallet, payers_weight, satisfied_weight, paid_weight)
	select wallet, sum(received)::bigint, coalesce(sum(received) filter (where is_satisfied(rating)), 0)::bigint, sum(given)::bigint
	from gained, lateral (values (payee, weight, 0), (payer, 0, weight)) as share (wallet, received, given)
	where kind = 'owner' group by wallet order by wallet
	on conflict (wallet) do update set payers_weight = standings.payers_weight + excluded.payers_weight,
		satisfied_weight = standings.satisfied_weight + excluded.satisfied_weight,
		paid_weight = standings.paid_weight + excluded.paid_weight;
end $$;
