-- Takes tokens of a bucket that holds `tokens` and gets one every `everyMs`. Returns when they may be used: at
-- once, or at a later time for which they are reserved, at most `aheadMs` from now; null if they are refused, as
-- more than it holds always are.
-- `_after` is the earliest time, as another bucket has answered. The function is strict: a bucket before that
-- refused, or a limit without a value, takes nothing and refuses too (`greatest` would ignore that null).
-- A bucket keeps when it is full again, which each token puts off (GCRA): a full one needs no row.
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
