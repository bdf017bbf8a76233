-- Rates a hire that the wallet has paid for (`_hire_id`), or an agent whose requests it has paid for
-- (`_agent_id`). Revises a rating once, if it was given after `_revisable_since`. It becomes the payer's
-- latest rating of the agent and of its owner, and updates their sums and scores. Locks the agent's row.
-- outcome: rated | revised | unchanged | hire_not_found | agent_not_found | own_hire | too_little_paid | rating_final
-- optional: hire_id, agent_id, comment
create function give_rating(_session_wallet text, _session_generation integer,
	_id uuid, _hire_id uuid, _agent_id uuid, _wallet text, _rating smallint, _comment text,
	_min_paid bigint, _revisable_since timestamptz, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	stored ratings;
	rater payers;
	_paid numeric;
	_weight bigint;
	_more_satisfied bigint;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into agent from agents
	where id = coalesce(_agent_id, (select agent_id from hires where id = _hire_id and wallet = _wallet)) for no key update;
	if _hire_id is null then
		select requests_paid into _paid from payers where kind = 'agent' and payee = _agent_id::text and payer = _wallet;
		select * into stored from ratings where agent_id = _agent_id and wallet = _wallet and hire_id is null;
	else
		select collected into _paid from hire_payments where hire_id = _hire_id;
		select * into stored from ratings where hire_id = _hire_id;
	end if;
	outcome := case
		when agent.id is null then case when _hire_id is null then 'agent_not_found' else 'hire_not_found' end
		when agent.pubkey = _wallet then 'own_hire'
		when coalesce(_paid, 0) < _min_paid then 'too_little_paid'
		when stored.id is null then 'rated'
		when (stored.rating, stored.comment) is not distinct from (_rating, _comment) then 'unchanged'
		when stored.revised_at is null and stored.created_at > _revisable_since then 'revised'
		else 'rating_final' end;
	if outcome = 'rated' then
		insert into ratings (id, hire_id, agent_id, owner, wallet, rating, comment, created_at)
		values (_id, _hire_id, agent.id, agent.pubkey, _wallet, _rating, _comment, _now)
		returning * into stored;
	elsif outcome = 'revised' then
		update ratings set rating = _rating, comment = _comment, revised_at = _now where id = stored.id
		returning * into stored;
	end if;
	if outcome in ('rated', 'revised') then
		for rater in
			select * from payers where kind = 'agent' and payee = agent.id::text and payer = _wallet
				or kind = 'owner' and payee = agent.pubkey and payer = _wallet
			order by kind for no key update
		loop
			update payers set rating = _rating where kind = rater.kind and payee = rater.payee and payer = _wallet;
			_weight := payer_weight(rater.fee, rater.fee_step);
			_more_satisfied := _weight * (is_satisfied(_rating)::integer - is_satisfied(rater.rating)::integer);
			if rater.kind = 'agent' then
				update agents set satisfied_weight = satisfied_weight + _more_satisfied,
					ratings = ratings + (rater.rating is null)::integer,
					rated_weight = rated_weight + _weight * (rater.rating is null)::integer,
					rating_sum = rating_sum + _weight * (_rating - coalesce(rater.rating, 0)),
					reputation_score = agent_score(hirers, payers_weight, satisfied_weight + _more_satisfied)
				where id = agent.id;
			else
				-- Locked first: an update that has to wait checks the sums of the row as they were before
				-- it waited.
				perform from standings where wallet = agent.pubkey for no key update;
				update standings set satisfied_weight = satisfied_weight + _more_satisfied where wallet = agent.pubkey;
			end if;
		end loop;
		_to_notify := publish_event(case outcome when 'rated' then 'rating.given' else 'rating.revised' end,
			_now, _now, stored.owner, stored.wallet, stored.agent_id, rating_data(stored));
	end if;
	return query select outcome, _to_notify;
end $$;
