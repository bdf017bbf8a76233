-- Counts settled payments for requests, by their weight (`fee`, of payments in CRED). Also counts them in
-- the history of their agents, locked by the caller: a row for each agent and day, of the last days only.
-- The caller must count each payment once, ever, as for count_fees.
create function count_request_payments(_settled request_payments[], _fee_step bigint, _now timestamptz)
returns void language plpgsql as $$
#variable_conflict use_column
declare
	history_days constant integer := 30; -- HISTORY_DAYS of schema/wire/agents.ts
	_agent_ids constant uuid[] := array(select distinct agent_id from unnest(_settled));
begin
	perform list_paid(_agent_ids, _now);
	perform add_paid_calls(array_agg(owner), array_agg(payer), array_agg(fee), _fee_step)
	from unnest(_settled) where fee is not null;
	perform count_fees(array_agg(agent_id), array_agg(owner), array_agg(payer), array_agg(fee), array_agg(amount), _fee_step)
	from unnest(_settled) where fee is not null;
	insert into agent_request_days (agent_id, day, payments, paid)
	select agent_id, (created_at at time zone 'UTC')::date, count(*), coalesce(sum(amount) filter (where fee is not null), 0)
	from unnest(_settled) group by 1, 2 order by 1, 2
	on conflict (agent_id, day) do update set payments = agent_request_days.payments + excluded.payments,
		paid = agent_request_days.paid + excluded.paid;
	delete from agent_request_days
	where agent_id = any (_agent_ids) and day <= (_now at time zone 'UTC')::date - history_days;
end $$;
