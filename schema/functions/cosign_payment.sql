-- Records the one message of a payment transaction that its wallet has signed, and the wallet's signature,
-- before the authority signs. The transaction must be open, built after `_built_after`, without a message,
-- and the one that the message was checked against. It must not collect for a suspended agent. For a
-- funding it also records the address of the budget account. A funding of a job opens it: the job then
-- neither ends nor expires. A payment from an escrow of a job must still be due. Every signature of the
-- authority follows such a record.
-- due: settlement five seconds after the message is recorded; deadlines an hour after a job's funding is
-- outcome: recorded | not_found | agent_suspended | already_cosigned | expired | due | funding_open | job_changed | deadline_passed | key_leaked | escrow_taken | jobs_ended | input_missing | not_due | in_flight | changed
create function cosign_payment(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _transaction text, _message text, _network_signature text,
	_last_valid_block_height bigint, _built_after timestamptz, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	intent payment_intents;
	_rejection text;
begin
	perform assert_session(_session_wallet, _session_generation);
	perform lock_jobs(array[_id]);
	perform lock_paying_accounts(array[_id]);
	select * into intent from payment_intents where id = _id and wallet = _wallet for update;
	_rejection := (
		select max(case
			when intent.kind = 'fund_job' then coalesce(job_funding_rejection(jobs, _now), case
				when input_hash is not null
					and not exists (select from job_texts where job_id = jobs.id and kind = 'input') then 'input_missing' end)
			when intent.kind in ('refund_job', 'collect_jobs')
				then job_payout_rejection(jobs, _id, intent.kind, address, amount, guard) end)
		from payment_intent_jobs join jobs on jobs.id = job_id where intent_id = intent.id);
	outcome := case
		when intent.id is null or intent.transaction <> _transaction then 'not_found'
		when intent.kind = 'collect' and exists (
			select from payment_intent_legs as leg
				join hires on hires.id = leg.hire_id
				join agents on agents.id = hires.agent_id
			where leg.intent_id = intent.id and agents.status = 'suspended') then 'agent_suspended'
		when intent.cosigned_at is not null then 'already_cosigned'
		when intent.status <> 'open' or intent.created_at <= _built_after then 'expired'
		when _rejection is not null then _rejection
		else 'recorded' end;
	if outcome = 'recorded' then
		update payment_intents set cosigned_message = _message, network_signature = _network_signature,
			last_valid_block_height = _last_valid_block_height, cosigned_at = _now, due_at = first_check(_now)
		where id = intent.id;
		if intent.kind = 'fund_job' then
			perform record_job(job_next(jobs, 'fund', 'hirer', null, _now), _now)
			from payment_intent_jobs join jobs on jobs.id = job_id where intent_id = intent.id;
		end if;
		-- From now on the account may exist, and approve the payout account of this key version.
		insert into budget_accounts (hire_id, hirer, owner, agent_id, address, seed, generation, looked_at)
		select hires.id, intent.wallet, agents.pubkey, agents.id, leg.address, leg.seed, intent.generation, 'epoch'
		from payment_intent_legs as leg
			join hires on hires.id = leg.hire_id
			join agents on agents.id = hires.agent_id
		where leg.intent_id = intent.id and leg.seed is not null
		on conflict (hire_id) do update set address = excluded.address, seed = excluded.seed,
			generation = least(budget_accounts.generation, excluded.generation);
	end if;
	return next;
end $$;
