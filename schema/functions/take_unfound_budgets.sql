-- Takes up to `_limit` hires with due charges for a look at the chain, whether their hirers have funded
-- them past the relay: the ones that have waited longest since the last look. A hire that has a
-- recorded budget account by now, or no charge that may be collected, leaves the queue until the next
-- charge.
-- types: hirer Wallet, owner Wallet
create function take_unfound_budgets(_now timestamptz, _limit integer)
returns table (hire_id uuid, hirer text, owner text, budget_number integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_taken uuid[];
	_due uuid[];
begin
	_taken := array(select id from hires where sought_at is not null order by sought_at limit _limit
		for no key update skip locked);
	_due := array(
		select hires.id from hires join agents on agents.id = agent_id
		where hires.id = any (_taken) and agents.status <> 'suspended'
			and not exists (select from budget_accounts where budget_accounts.hire_id = hires.id)
			and exists (select from charges where charges.hire_id = hires.id and charges.status = 'recorded'
				and charge_state(charges, ended_at, _now) = 'recorded'));
	update hires set sought_at = case when id = any (_due) then _now end where id = any (_taken);
	return query select hires.id, wallet, pubkey, budget_number from hires join agents on agents.id = agent_id
		where hires.id = any (_due);
end $$;
