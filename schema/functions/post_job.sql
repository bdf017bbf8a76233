-- Orders a job of an agent, under the agent's terms. The same reference returns the same job. Locks the
-- hirer's wallet, so that concurrent orders keep to its limits, then the agent. Orders count against the
-- client address, per hour. A full queue of the agent drops another order, or rejects this one
-- (job_to_yield). `_terms_hash` is the hash of all terms with `_salt`.
-- due: deadlines at due_at
-- outcome: recorded | recorded_before | job_differs | agent_not_found | own_agent | not_accepting | judge_not_listed | terms_not_met | too_many_unended | queue_full | too_many_jobs
-- optional: grant, input_hash
-- nullable: job_id, due_at
create function post_job(_session_wallet text, _session_generation integer,
	_id uuid, _hirer text, _grant uuid, _agent_id uuid, _reference text, _title text, _brief text, _input_hash text,
	_price bigint, _min_price bigint, _fee_bps smallint, _judge text, _accept_minutes integer, _work_minutes integer,
	_review_minutes integer, _terms_hash text, _salt text, _address_hash text, _jobs_per_address integer, _now timestamptz)
returns table (outcome text, job_id uuid, due_at timestamptz, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	agent agents;
	terms job_terms;
	job jobs;
	_pays boolean := is_paying(_hirer);
	_unfunded integer;
	_unended integer;
	_yields uuid;
begin
	perform assert_session(_session_wallet, _session_generation);
	to_notify := '{}';
	perform from wallets where address = _hirer for no key update;
	select * into agent from agents where id = _agent_id for no key update;
	select * into job from jobs where hirer = _hirer and reference = _reference;
	if found then
		return query select case
			when (job.agent_id, job.title, job.brief, job.input_hash, job.price, job.judge, job.accept_minutes, job.work_minutes, job.review_minutes)
				is not distinct from
				(_agent_id, _title, _brief, _input_hash, _price, _judge, _accept_minutes, _work_minutes, _review_minutes)
			then 'recorded_before' else 'job_differs' end, job.id, job.due_at, '{}'::text[];
		return;
	end if;
	select * into terms from job_terms where agent_id = agent.id;
	select count(*) filter (where status in ('open', 'accepted')), count(*) into _unfunded, _unended from jobs
	where hirer = _hirer and status in ('open', 'accepted', 'funded', 'delivered', 'disputed');
	outcome := case
		when agent.id is null then 'agent_not_found'
		when agent.pubkey = _hirer then 'own_agent'
		when agent.status <> 'active' or terms.agent_id is null then 'not_accepting'
		when _judge <> all (terms.judges) or _judge in (_hirer, agent.pubkey) then 'judge_not_listed'
		when _price < greatest(_min_price, terms.min_price) or _work_minutes < terms.work_minutes then 'terms_not_met'
		when _unended >= 200 -- UNENDED_JOBS of lib/work/rules.ts
			or _unfunded >= case when _pays
			then 20 -- UNFUNDED_JOBS
			else 5 -- UNFUNDED_JOBS_UNPAID
			end then 'too_many_unended'
		else 'recorded' end;
	if outcome = 'recorded' and (select count(*) from jobs where agent_id = agent.id and status = 'open')
		>= 50 -- QUEUED_JOBS
	then
		_yields := job_to_yield(agent.id, _address_hash, _pays);
		outcome := case when _yields is null then 'queue_full' else 'recorded' end;
	end if;
	if outcome = 'recorded' and not count_call(_hirer, _address_hash, _jobs_per_address, _now) then
		outcome := 'too_many_jobs';
	end if;
	if outcome = 'recorded' then
		if _yields is not null then
			select * into job from jobs where id = _yields for update;
			to_notify := record_job(job_next(job, 'yield', 'service', null, _now), _now);
		end if;
		insert into jobs (id, agent_id, owner, hirer, hirer_grant, reference, title, brief, input_hash, price, fee_bps, judge,
			accept_minutes, work_minutes, review_minutes, terms_hash, salt, status, due_at, counted_at, created_at, address_hash)
		values (_id, agent.id, agent.pubkey, _hirer, _grant, _reference, _title, _brief, _input_hash, _price, _fee_bps, _judge,
			_accept_minutes, _work_minutes, _review_minutes, _terms_hash, _salt, 'open',
			_now + make_interval(mins => _accept_minutes), _now, _now, _address_hash)
		returning * into job;
		job_id := job.id;
		due_at := job.due_at;
		to_notify := to_notify || publish_event('job.posted', _now, _now, job.owner, job.hirer, job.agent_id, job_data(job));
	end if;
	return next;
end $$;
