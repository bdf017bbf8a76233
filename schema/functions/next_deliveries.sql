-- Walks over up to `_steps` webhook endpoints with pending deliveries, one index search each, from the
-- end of the last walk. Returns up to `_limit` enabled endpoints with due deliveries and no pause, of
-- `due_count`. Proven destinations come first, since strangers can make thousands of others, then the
-- longest wait decides. Failing destinations with a recent attempt come last, so that an owner of a
-- thousand delays no lost message. `next_at`: the first due time of the other endpoints, and `urgent_at`
-- the first for which the database is woken. `is_first`: the walk began with the first endpoint, and
-- `is_last`: it reached the last. Gives up a limited number of deliveries (`given_up`) to deleted
-- endpoints, except running attempts.
-- nullable: next_at, urgent_at
create function next_deliveries(_steps integer, _limit integer, _limits json, _now timestamptz)
returns table (endpoint_ids uuid[], urls text[], due_count integer, next_at timestamptz, urgent_at timestamptz,
	is_first boolean, is_last boolean, given_up integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_first constant uuid := '00000000-0000-0000-0000-000000000000';
	_tried_since constant timestamptz := _now - limit_span(_limits, 'triedMs');
	_soon constant timestamptz := _now + limit_span(_limits, 'soonMs');
	_start constant uuid := (select after from delivery_walk);
	_last uuid;
	_gone uuid[];
begin
	with recursive endpoint (id, step) as (
		select (select endpoint_id from deliveries where status = 'pending' and endpoint_id > _start order by endpoint_id limit 1), 1
		union all
		select (select endpoint_id from deliveries
			where status = 'pending' and endpoint_id > endpoint.id order by endpoint_id limit 1), step + 1
		from endpoint where endpoint.id is not null and step < _steps),
	found as (
		select endpoint.id, live.url, is_proven, was_tried,
			case when live.url is not null then greatest(next_attempt_at, held_until) end as due_at,
			-- A running attempt may be cut off.
			is_urgent or lease is not null as is_urgent,
			live.url is null and not exists (select from endpoints where endpoints.id = endpoint.id)
				and not exists (select from agents where agents.id = endpoint.id) as is_gone
		from endpoint
		left join lateral (
			select next_attempt_at, lease from deliveries
			where status = 'pending' and endpoint_id = endpoint.id order by next_attempt_at limit 1) as first on true
		-- The limit removes no row. It makes Postgres search the indexes once for each endpoint.
		left join lateral (
			select url, held_until, proven_at is not null as is_proven,
				proven_at is not null and failing_since is not null and last_attempt_at > _tried_since as was_tried,
				destination.wallet is null or is_urgent_after_pause(destination, endpoint.id, _now, _soon) as is_urgent
			from webhook_endpoints() as candidate
			left join webhook_targets as destination on destination.wallet = candidate.wallet and destination.url_hash = candidate.url_hash
			where candidate.id = endpoint.id and is_live limit 1) as live on true),
	due as (
		select id, url, row_number() over (
			order by coalesce(was_tried, false), coalesce(is_proven, false) desc, due_at) as rank
		from found where due_at <= _now)
	select
		array(select id from due where rank <= _limit order by rank),
		array(select url from due where rank <= _limit order by rank),
		(select count(*) from due),
		min(due_at) filter (where due_at > _now), min(due_at) filter (where due_at > _now and is_urgent),
		_start = _first, coalesce(bool_or(id is null), false),
		-- A null after the last endpoint ends the walk; the next one begins with the first endpoint.
		case when not coalesce(bool_or(id is null), false) then (array_agg(id order by id desc))[1] end,
		array_agg(id) filter (where id is not null and is_gone)
	into endpoint_ids, urls, due_count, next_at, urgent_at, is_first, is_last, _last, _gone
	from found;
	update delivery_walk set after = coalesce(_last, _first) where is_only;

	update deliveries set status = 'failed', next_attempt_at = null, lease = null
	where ctid = any (array(
		select each.ctid from unnest(_gone) as gone (id) cross join lateral (
			select ctid from deliveries
			where endpoint_id = gone.id and status = 'pending' and (lease is null or next_attempt_at <= _now)
			order by next_attempt_at limit (_limits ->> 'givenUpAtOnce')::integer for update skip locked) as each
		limit (_limits ->> 'givenUpAtOnce')::integer));
	get diagnostics given_up = row_count;
	return next;
end $$;
