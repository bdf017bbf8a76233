-- Records a built transaction of jobs, for the hirer (`open_refund`, `fund_job`, `refund_job`,
-- `close_escrows`) or the agents' owner (`collect_jobs`). It replaces an unsigned one of the same kind: of
-- the same job, if it pays in or back, otherwise of the wallet. With a funding comes the job's input, whose
-- hash was posted: it is kept for the agent, and without it nothing is funded. The lists have an entry for
-- each escrow; an absent seed is empty, an absent guard 0. A transaction that needs no tokens
-- (`_address_hash`) counts per client address and hour.
-- outcome: recorded | job_not_found | due | funding_open | job_changed | deadline_passed | agent_suspended | key_leaked | escrow_taken | jobs_ended | input_missing | input_differs | not_due | in_flight | changed | too_many_builds
-- optional: input, address_hash, builds_per_address
create function record_job_intent(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _kind text, _key_version smallint, _transaction text, _message text,
	_last_valid_block_height bigint, _built_slot bigint, _jobs uuid[], _addresses text[], _seeds text[],
	_amounts bigint[], _fees bigint[], _guards bigint[], _input text, _address_hash text, _builds_per_address integer,
	_now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_replaced uuid[];
	_found integer;
begin
	perform assert_session(_session_wallet, _session_generation);
	perform from agents where id in (select agent_id from jobs where jobs.id = any (_jobs)) order by id for no key update;
	perform from jobs where id = any (_jobs) order by id for update;
	select count(*), max(case
			when _kind = 'fund_job' then coalesce(job_funding_rejection(jobs, _now), case
				when input_hash is null and _input is not null
					or input_hash <> encode(sha256(convert_to(_input, 'UTF8')), 'hex') then 'input_differs'
				when input_hash is not null and _input is null
					and not exists (select from job_texts where job_id = jobs.id and kind = 'input') then 'input_missing' end)
			when _kind in ('refund_job', 'collect_jobs')
				then job_payout_rejection(jobs, _id, _kind, address, amount, nullif(guard, 0)) end)
	into _found, outcome
	from unnest(_jobs, _addresses, _amounts, _guards) as leg (job_id, address, amount, guard)
		join jobs on jobs.id = leg.job_id
	where case _kind when 'collect_jobs' then owner else hirer end = _wallet;
	outcome := case
		when _found < cardinality(_jobs) then 'job_not_found'
		when outcome is not null then outcome
		when _address_hash is not null and not count_by_address(_address_hash, 'hour', _builds_per_address, _now)
			then 'too_many_builds'
		else 'recorded' end;
	if outcome = 'recorded' then
		_replaced := array(
			select id from payment_intents
			where wallet = _wallet and kind = _kind and status = 'open' and cosigned_at is null
				and (_kind not in ('fund_job', 'refund_job')
					or exists (select from payment_intent_jobs where intent_id = payment_intents.id and job_id = any (_jobs)))
			for update);
		delete from payment_intents where id = any (_replaced) and cosigned_at is null;
		insert into payment_intents (id, wallet, kind, status, generation, transaction, message,
			last_valid_block_height, built_slot, created_at, asked_at)
		values (_id, _wallet, _kind, 'open', _key_version, _transaction, _message, _last_valid_block_height, _built_slot,
			_now, 'epoch')
		on conflict do nothing;
		if not found then
			-- A concurrent build has recorded one.
			outcome := 'changed';
			return next;
			return;
		end if;
		insert into payment_intent_jobs (intent_id, job_id, address, seed, amount, fee, guard)
		select _id, job_id, address, nullif(seed, ''), amount, fee, nullif(guard, 0)
		from unnest(_jobs, _addresses, _seeds, _amounts, _fees, _guards) as leg (job_id, address, seed, amount, fee, guard);
		if _input is not null then
			insert into job_texts (job_id, kind, text, created_at) select _jobs[1], 'input', _input, _now
			on conflict do nothing;
		end if;
	end if;
	return next;
end $$;
