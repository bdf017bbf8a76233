-- Takes up to `_limit` hires with due charges to check on the chain, longest due first: their hirers may
-- have funded them outside the relay. The next check comes when the oldest due charge is four times as old,
-- after two hours with the daily job. So charges on hires that nobody funds cause fewer and fewer checks. A
-- hire with a recorded budget account, or without a collectable charge, leaves the queue until the next
-- charge.
-- types: hirer Wallet, owner Wallet
create function take_undiscovered_budgets(_now timestamptz, _limit integer)
returns table (hire_id uuid, hirer text, owner text, budget_number integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_taken uuid[];
	_due uuid[];
	-- 00:07 UTC, like nextDaily of jobs.ts (clock).
	_daily constant timestamptz := date_trunc('day', _now - interval '7 minutes', 'UTC') + interval '1 day 7 minutes';
begin
	_taken := array(select id from hires where seek_at <= _now order by seek_at limit _limit
		for no key update skip locked);
	_due := array(
		select hires.id from hires join agents on agents.id = agent_id
		where hires.id = any (_taken) and agents.status <> 'suspended'
			and not exists (select from budget_accounts where budget_accounts.hire_id = hires.id)
			and exists (select from charges where charges.hire_id = hires.id and charges.status = 'recorded'
				and charge_state(charges, ended_at, _now) = 'recorded'));
	update hires set seek_at = case when id = any (_due) then (
		select case when _now - min(created_at) > interval '2 hours' then _daily
			else _now + 3 * greatest(_now - min(created_at), interval '1 minute') end
		from charges where charges.hire_id = hires.id and charges.status = 'recorded') end
	where id = any (_taken);
	return query select hires.id, wallet, pubkey, budget_number from hires join agents on agents.id = agent_id
		where hires.id = any (_due);
end $$;
