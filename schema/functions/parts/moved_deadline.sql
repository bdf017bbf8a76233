-- Returns a deadline after the outages that began before it, one after the other. Each moves it by its
-- length, and to an hour after its end at least. The outages up to `_counted_at` have moved it already.
create function moved_deadline(_due_at timestamptz, _counted_at timestamptz, _gaps_from timestamptz[], _gaps_until timestamptz[])
returns timestamptz language plpgsql immutable as $$
declare
	gap record;
begin
	for gap in select since, until from unnest(_gaps_from, _gaps_until) as outage (since, until) order by since loop
		if gap.until > _counted_at and gap.since < _due_at then
			_due_at := greatest(
				_due_at + make_interval(secs => extract(epoch from gap.until - greatest(gap.since, _counted_at))::double precision),
				gap.until + interval '1 hour'); -- AFTER_OUTAGE_MS of lib/work/rules.ts
		end if;
	end loop;
	return _due_at;
end $$;
