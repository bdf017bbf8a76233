-- Takes tokens of a bucket that has up to `tokens` and gets one every `everyMs`. Returns when they may be
-- used: now, or a later time for which they are reserved, at most `aheadMs` from now. Returns null if they
-- are rejected, such as more tokens than the bucket's size. Another bucket has returned the earliest time,
-- `_after`. The function is strict: after a rejection by an earlier bucket, or with a limit without a
-- value, it takes nothing and rejects, too (`greatest` would ignore that null). A bucket stores the time
-- when it is full again, which each token postpones (GCRA): a full one needs no row.
create function take_tokens(_bucket text, _count integer, _limit json, _after timestamptz, _now timestamptz)
returns timestamptz language plpgsql strict as $$
declare
	_every interval := make_interval(secs => (_limit ->> 'everyMs')::float / 1000);
	_size integer := _limit ->> 'tokens';
	_latest timestamptz := _now + make_interval(secs => (_limit ->> 'aheadMs')::float / 1000);
	_full_at timestamptz;
begin
	insert into webhook_buckets as bucket (name, full_at)
	select _bucket, _now + _count * _every where _count <= _size and _latest + _every is not null
	on conflict (name) do update set full_at = excluded.full_at + greatest(bucket.full_at - _now, interval '0')
	where excluded.full_at + greatest(bucket.full_at - _now, interval '0') <= _latest + _size * _every
	returning full_at into _full_at;
	-- Null if the bucket has rejected them.
	return case when _full_at is not null then greatest(_full_at - _size * _every, _after) end;
end $$;
