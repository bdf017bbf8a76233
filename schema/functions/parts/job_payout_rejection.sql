-- Says why the authority does not sign a payment from an escrow of a job, locked by the caller; null if it
-- signs. It signs one message a side until that is proven gone, and each for what the side has due. While
-- the other side has money due, too, `_guard` is both. If nothing is due to the agent's owner, the hirer
-- takes all: without a guard the escrow is closed, with the amount as guard it stays open. A stray funding is
-- the hirer's, first the whole and then the rest. `not_due`: the side has nothing due. `in_flight`: another
-- message is signed. `changed`: the dues are others than at the build.
create function job_payout_rejection(_job jobs, _intent_id uuid, _kind text, _address text, _amount bigint, _guard bigint)
returns text language sql stable as $$
	select case
		when exists (
			select from payment_intent_jobs as leg join payment_intents on payment_intents.id = leg.intent_id
			where leg.job_id = _job.id and leg.address = _address and payment_intents.id <> _intent_id
				and payment_intents.status = 'open' and cosigned_at is not null
				and (kind = _kind or kind in ('refund_job', 'collect_jobs') and _guard is null)) then 'in_flight'
		when _address is distinct from _job.escrow then case
			when _kind = 'refund_job' and exists (
				select from payment_intent_jobs
				where job_id = _job.id and address = _address and stray_at is not null
					and (returned_at is not null or amount <= _amount)) then null
			else 'not_due' end
		when _job.agent_amount is null then 'not_due'
		when _kind = 'collect_jobs' then case
			when agent_due = 0 then 'not_due'
			when _amount = agent_due and _guard is not distinct from case when hirer_due > 0 then agent_due + hirer_due end then null
			else 'changed' end
		when agent_due > 0 and hirer_due = 0 or _job.escrow_closed_at is not null then 'not_due'
		when agent_due > 0 and _amount = hirer_due and _guard = agent_due + hirer_due then null
		when agent_due = 0 and _amount >= hirer_due and coalesce(_guard, _amount) = _amount then null
		else 'changed' end
	from (select
		case when _job.paid_at is null then _job.agent_amount else 0 end as agent_due,
		case when _job.refunded_at is null then _job.hirer_amount else 0 end as hirer_due) as due
$$;
