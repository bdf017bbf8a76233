-- Takes tokens of a bucket that has up to `tokens` and gets one every `everyMs`. Returns when they may be
-- used: now, or a later time for which they are reserved, at most `aheadMs` from now. Returns null if they
-- are rejected, such as more tokens than the bucket's size. Another bucket has returned the earliest time,
-- `_after`. The function is strict: after a rejection by an earlier bucket, or with a limit without a
-- value, it takes nothing and rejects, too (`greatest` would ignore that null). A bucket stores the time
-- when it is full again, which each token postpones (GCRA): a full one needs no row.
create function take_tokens(_bucket text, _count integer, _limit json, _after timestamptz, _now timestamptz)
returns timestamptz language sql strict as $$
	with bucket_limit as (
		select make_interval(secs => (_limit ->> 'everyMs')::float / 1000) as every, (_limit ->> 'tokens')::integer as size,
			_now + make_interval(secs => (_limit ->> 'aheadMs')::float / 1000) as latest),
	taken as (
		insert into webhook_buckets as bucket (name, full_at)
		select _bucket, _now + _count * every from bucket_limit where _count <= size and latest + every > _now
		on conflict (name) do update set full_at = excluded.full_at + greatest(bucket.full_at - _now, interval '0')
		where excluded.full_at + greatest(bucket.full_at - _now, interval '0') <= (select latest + size * every from bucket_limit)
		returning full_at)
	select greatest(full_at - size * every, _after) from taken, bucket_limit
$$;
