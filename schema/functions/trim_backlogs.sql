-- Gives up the excess of webhook endpoints with too many pending deliveries, even of disabled ones: the
-- deliveries that are due first, which are the oldest. Disables these endpoints and publishes that to
-- their owners. Of rank 0 it leaves a smaller number without disabling the endpoint, since others create
-- these at no cost. Reads each new delivery once (`looked_until`), so any time may pass between calls. A
-- call reads a limited number, up to a time before which all transactions have ended. It checks the
-- endpoints with the most of them. `is_last`: nothing is left to read or to give up; otherwise another
-- call continues. `trimmed`: the number of these endpoints.
create function trim_backlogs(_limits json, _now timestamptz)
returns table (trimmed integer, given_up integer, to_notify text[], is_last boolean)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_settled constant timestamptz := _now - limit_span(_limits, 'settledMs');
	_counted constant integer := _limits ->> 'countedAtOnce';
	_max_waiting constant integer := _limits ->> 'maxWaiting';
	_max_free constant integer := _limits ->> 'maxFreeWaiting';
	_left integer := _limits ->> 'givenUpAtOnce';
	_until timestamptz;
	_full uuid[];
	_id uuid;
	endpoint record;
	_other integer;
	_free integer;
	_is_free boolean;
begin
	with next as (
		select endpoint_id, created_at from deliveries
		where created_at > (select looked_until from delivery_walk) and created_at <= _settled
		order by created_at limit _counted),
	grown as (select endpoint_id as id from next group by 1 order by count(*) desc limit 100)
	select
		(select case when count(*) < _counted then _settled else max(created_at) end from next),
		array(
			select id from grown
			where exists (
				select from deliveries where endpoint_id = id and rank > 0 and status = 'pending'
				order by rank, next_attempt_at offset _max_waiting)
			or exists (
				select from deliveries where endpoint_id = id and rank = 0 and status = 'pending'
				order by rank, next_attempt_at offset _max_free)
			order by id)
	into _until, _full;

	to_notify := '{}';
	trimmed := 0;
	given_up := 0;
	-- Waits for no lock, since it holds locks of earlier endpoints. It skips locked deliveries, and disables
	-- no locked endpoint: the next excess disables it.
	foreach _id in array _full loop
		update deliveries set status = 'failed', next_attempt_at = null, lease = null
		where ctid = any (array(
			select ctid from deliveries where endpoint_id = _id and rank = 0 and status = 'pending'
			order by next_attempt_at desc offset _max_free limit _left for update skip locked));
		get diagnostics _free = row_count;
		update deliveries set status = 'failed', next_attempt_at = null, lease = null
		where ctid = any (array(
			select ctid from deliveries where endpoint_id = _id and rank > 0 and status = 'pending'
			order by next_attempt_at desc offset _max_waiting limit _left - _free for update skip locked));
		get diagnostics _other = row_count;
		if _other > 0 then
			perform from endpoints where endpoints.id = _id for no key update skip locked;
			_is_free := found;
			perform from agents where agents.id = _id for no key update skip locked;
			_is_free := _is_free or found;
			select * into endpoint from webhook_endpoints() as candidate where candidate.id = _id;
			if found and _is_free then
				to_notify := to_notify || disable_endpoint(_id, endpoint.kind, endpoint.wallet, endpoint.url, 'full', _now, _now);
			end if;
		end if;
		given_up := given_up + _free + _other;
		_left := _left - _free - _other;
		exit when _left = 0;
		trimmed := trimmed + 1;
	end loop;
	if _left > 0 then
		update delivery_walk set looked_until = greatest(looked_until, _until) where is_only;
	end if;
	is_last := _left > 0 and _until >= _settled;
	return next;
end $$;
