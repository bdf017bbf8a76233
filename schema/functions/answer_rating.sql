-- Records the owner's answer to a rating, once, and publishes an event. Locks the agent's row, as
-- publish_event requires. The lock also makes one of several concurrent answers the first. A rating of
-- another owner's agent is `rating_not_found`, too.
-- outcome: answered | unchanged | already_answered | rating_not_found
create function answer_rating(_session_wallet text, _session_generation integer,
	_id uuid, _owner text, _answer text, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	rated ratings;
	_to_notify text[] := '{}';
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into agent from agents
	where id = (select agent_id from ratings where id = _id and owner = _owner) for no key update;
	select * into rated from ratings where id = _id;
	outcome := case
		when agent.id is null then 'rating_not_found'
		when rated.answer is null then 'answered'
		when rated.answer = _answer then 'unchanged'
		else 'already_answered' end;
	if outcome = 'answered' then
		update ratings set answer = _answer, answered_at = _now where id = _id returning * into rated;
		_to_notify := publish_event('rating.answered', _now, _now, rated.owner, rated.wallet, rated.agent_id, rating_data(rated));
	end if;
	return query select outcome, _to_notify;
end $$;
