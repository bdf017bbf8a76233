-- Deletes unpaid charges, including voided ones, of hires that ended at `_ended_by` or before: at most
-- `_most_charges`, of at most `_most_hires` hires, in the order of their ends. Their owners get the slots
-- back. A hire without unpaid charges is closed, so that later calls skip it, and its periods without paid
-- charges are deleted. Returns the numbers of charges and hires. Safe to run twice at once.
create function delete_unpaid_charges(_ended_by timestamptz, _most_hires integer, _most_charges integer)
returns table (deleted integer, closed integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_hires uuid[];
	_charges uuid[];
	_gone charges[];
begin
	_hires := array(select id from hires where ended_at <= _ended_by and not closed
		order by ended_at limit _most_hires for no key update skip locked);
	-- A signed collection without a recorded failure may have paid its charges.
	_charges := array(select unpaid.id from unnest(_hires) as hire (id) cross join lateral (
			select id from charges
			where hire_id = hire.id and status in ('recorded', 'voided') and collection_id is null) as unpaid
		limit _most_charges);
	_charges := array(select id from charges where id = any (_charges) and collection_id is null order by id for update);
	with gone as (delete from charges where id = any (_charges) returning charges as row)
	select coalesce(array_agg(row), '{}') into _gone from gone;
	update hire_periods set spent = spent - unspent
	from (
		select charge.hire_id as charged_on, period_start, sum(amount)::bigint as unspent
		from unnest(_gone) as charge where status = 'recorded' group by charge.hire_id, period_start) as share
	where hire_id = charged_on and starts_at = period_start;
	perform release_charges(array(select owner from unnest(_gone)), 1);

	_hires := array(select hire.id from unnest(_hires) as hire (id)
		where not exists (select from charges where hire_id = hire.id and status in ('recorded', 'voided')));
	update hires set closed = true where id = any (_hires);
	delete from hire_periods where hire_id = any (_hires) and spent = 0;
	return query select cardinality(_gone), cardinality(_hires);
end $$;
