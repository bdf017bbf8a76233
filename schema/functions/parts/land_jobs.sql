-- Records the outcomes of transactions of jobs for the jobs: `_landed`, of which `_late` were over
-- before, and `_gone`, which can't land any more. A job takes only its open funding: another one is
-- stray, and all of it is the hirer's. A collected job counts as a collected charge. A part of the price is
-- paid once, also if a second payment of it lands. The caller has locked agents, jobs and transactions.
-- Returns the endpoints and wallets to notify.
create function land_jobs(_landed uuid[], _late uuid[], _gone uuid[], _fee_step bigint, _now timestamptz)
returns text[] language plpgsql as $$
#variable_conflict use_column
declare
	funding record;
	moved record;
	job jobs;
	_paid jobs[] := '{}';
	_to_notify text[] := '{}';
begin
	for funding in
		select leg.*, payment_intents.id = any (_landed) as has_landed from payment_intent_jobs as leg
			join payment_intents on payment_intents.id = intent_id
		where intent_id = any (_landed || _gone) and kind = 'fund_job' order by job_id, intent_id
	loop
		select * into job from jobs where id = funding.job_id;
		if not funding.has_landed then
			perform record_job(job_next(job, 'lapse', 'service', null, _now), _now);
		elsif funding.intent_id = any (_late) or (job_next(job, 'confirm', 'service', null, _now)).id is null then
			update payment_intent_jobs set stray_at = _now where intent_id = funding.intent_id and job_id = job.id;
			_to_notify := _to_notify || publish_event('job.stray', _now, _now, job.owner, job.hirer, job.agent_id,
				job_money_data(job, funding.intent_id, funding.amount, null));
		else
			_to_notify := _to_notify || record_job(job_next(job, 'confirm', 'service', null, _now), _now);
			update jobs set escrow = funding.address, escrow_seed = funding.seed where id = job.id;
		end if;
	end loop;

	for moved in
		select leg.*, kind, jobs.escrow = leg.address as is_escrow from payment_intent_jobs as leg
			join payment_intents on payment_intents.id = leg.intent_id join jobs on jobs.id = leg.job_id
		where leg.intent_id = any (_landed) and kind in ('refund_job', 'collect_jobs') order by leg.job_id, leg.intent_id
	loop
		select * into job from jobs where id = moved.job_id;
		if not coalesce(moved.is_escrow, false) then
			update payment_intent_jobs set returned_at = _now
			where job_id = job.id and address = moved.address and stray_at is not null and returned_at is null;
		elsif moved.kind = 'refund_job' then
			update jobs set refunded_at = case when hirer_amount > 0 then coalesce(refunded_at, _now) end,
				escrow_closed_at = coalesce(escrow_closed_at, case when moved.guard is null then _now end)
			where id = job.id;
			if job.refunded_at is null and job.hirer_amount > 0 then
				_to_notify := _to_notify || publish_event('job.refunded', _now, _now, job.owner, job.hirer, job.agent_id,
					job_money_data(job, moved.intent_id, moved.amount, null));
			end if;
		elsif job.paid_at is null then
			update jobs set paid_at = _now, fee = moved.fee where id = job.id returning * into job;
			_paid := _paid || job;
			_to_notify := _to_notify || publish_event('job.paid', _now, _now, job.owner, job.hirer, job.agent_id,
				job_money_data(job, moved.intent_id, moved.amount, moved.fee));
		end if;
	end loop;

	update jobs set escrow_closed_at = _now
	from payment_intent_jobs as leg join payment_intents on payment_intents.id = leg.intent_id
	where leg.intent_id = any (_landed) and kind = 'close_escrows' and jobs.id = leg.job_id and jobs.escrow = leg.address
		and escrow_closed_at is null;

	if cardinality(_paid) > 0 then
		perform add_paid_calls(array_agg(owner), array_agg(hirer), array_agg(fee), _fee_step) from unnest(_paid);
		perform list_paid(array(select agent_id from unnest(_paid)), _now);
		perform count_fees(array_agg(agent_id), array_agg(owner), array_agg(hirer), array_agg(fee), array_agg(0::bigint), _fee_step)
		from unnest(_paid);
	end if;
	return _to_notify;
end $$;
