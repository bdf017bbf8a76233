-- Records a landed transaction of jobs that the database has lost, and its effects: for an operator, after a
-- restore. A funding funds its job, and accepts an open one. The order of an unknown job is lost. The job is
-- made anew for an agent of its owner: disputed and without a judge, so each side gets half unless they
-- agree. A payment shows how its job has ended: a guard above the amount is the whole price. Otherwise
-- nothing is due to the other side. The lists have an entry for each escrow; an absent seed is
-- empty, an absent guard 0.
-- `lost`: the owner of an unknown job has no agent any more.
-- outcome: landed | over | lost
-- optional: owner, terms_hash
create function record_found_job_payment(_id uuid, _wallet text, _kind text, _key_version smallint, _transaction text,
	_message text, _cosigned_message text, _network_signature text, _slot bigint, _landed_at timestamptz,
	_jobs uuid[], _addresses text[], _seeds text[], _amounts bigint[], _fees bigint[], _guards bigint[],
	_owner text, _terms_hash text, _fee_bps smallint, _fee_step bigint, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_before text;
	_is_late boolean;
	_is_new boolean := false;
	job jobs;
	leg record;
begin
	to_notify := '{}';
	perform from agents
	where id in (select agent_id from jobs where jobs.id = any (_jobs)) or pubkey = _owner
	order by id for no key update;
	perform from jobs where id = any (_jobs) order by id for update;
	select status into _before from payment_intents where id = _id for update;
	_is_late := coalesce(_before in ('expired', 'failed'), false);
	outcome := case when _before = 'landed' then 'over' else 'landed' end;
	if outcome = 'landed' and _kind = 'fund_job' then
		select * into job from jobs where id = _jobs[1];
		if not found then
			insert into jobs (id, agent_id, owner, hirer, reference, title, brief, price, fee_bps, judge, accept_minutes, work_minutes,
				review_minutes, terms_hash, salt, status, due_at, counted_at, is_funding, created_at, accepted_at, key_version, restored_at)
			select _jobs[1], agents.id, _owner, _wallet, _jobs[1]::text, '', '', _amounts[1], _fee_bps, 'none', 4320, 4320,
				4320, _terms_hash, '', 'accepted', _now, _now, true, _landed_at, _landed_at, _key_version, _now
			from agents left join job_terms on job_terms.agent_id = agents.id
			where pubkey = _owner order by job_terms.agent_id is null, agents.id limit 1;
			_is_new := found;
			outcome := case when _is_new then 'landed' else 'lost' end;
		elsif job.status in ('open', 'accepted') and not _is_late then
			job.accepted_at := coalesce(job.accepted_at, _landed_at);
			job.key_version := coalesce(job.key_version, _key_version);
			job.status := 'accepted';
			job.address_hash := null;
			job.is_funding := true;
			to_notify := record_job(job, _now);
		end if;
	end if;
	if outcome <> 'landed' then
		return next;
		return;
	end if;

	insert into payment_intents (id, wallet, kind, status, generation, transaction, message, last_valid_block_height,
		built_slot, created_at, cosigned_message, network_signature, cosigned_at, asked_at, resolved_at, jobs_settled_at)
	values (_id, _wallet, _kind, 'landed', _key_version, _transaction, _message, 0, _slot, _landed_at, _cosigned_message,
		_network_signature, _landed_at, _now, _now, _now)
	on conflict (id) do update set status = 'landed', reason = null, cosigned_message = _cosigned_message,
		network_signature = _network_signature, cosigned_at = _landed_at, resolved_at = _now, jobs_settled_at = _now;
	insert into payment_intent_jobs (intent_id, job_id, address, seed, amount, fee, guard)
	select _id, job_id, address, nullif(seed, ''), amount, fee, nullif(guard, 0)
	from unnest(_jobs, _addresses, _seeds, _amounts, _fees, _guards) as moved (job_id, address, seed, amount, fee, guard)
	on conflict do nothing;

	for leg in select * from payment_intent_jobs where intent_id = _id and _kind <> 'fund_job' order by job_id loop
		select * into job from jobs where id = leg.job_id;
		if job.escrow = leg.address and job.ended_at is null then
			update jobs set restored_at = _now where id = job.id;
			job.agent_amount := case
				when _kind = 'collect_jobs' then leg.amount
				when coalesce(leg.guard, leg.amount) = leg.amount then 0
				else job.price - leg.amount end;
			job.hirer_amount := job.price - job.agent_amount;
			job.status := case when job.agent_amount = 0 then 'rejected' else 'completed' end;
			job.end_reason := 'restored';
			job.ended_at := _landed_at;
			job.due_at := null;
			job.hirer_proposal := null;
			job.owner_proposal := null;
			job.forget_at := _landed_at + make_interval(secs => 86400 * 30); -- KEPT_DAYS of lib/work/rules.ts
			to_notify := to_notify || record_job(job, _now);
		end if;
	end loop;
	to_notify := to_notify || land_jobs(array[_id], case when _is_late then array[_id] else '{}' end, '{}', _fee_step, _now);

	if _is_new then
		select * into job from jobs where id = _jobs[1];
		job.status := 'disputed';
		job.disputed_at := _now;
		job.due_at := _now + make_interval(mins => 4320); -- AGREE_MINUTES
		to_notify := to_notify || record_job(job, _now);
	end if;
	return next;
end $$;
