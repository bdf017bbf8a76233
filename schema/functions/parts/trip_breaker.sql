-- Stops new stacks of a key version. An earlier stop stays, with its reason. It skips a key version whose
-- recovery key was published on purpose, since that is a stop of its own.
create function trip_breaker(_key_version smallint, _now timestamptz) returns void language sql as $$
	insert into vault_generations (generation, paused_at, pause_reason)
	values (_key_version, _now, 'a position was paid out of before its lock ended')
	on conflict (generation) do update set
		paused_at = coalesce(vault_generations.paused_at, excluded.paused_at),
		pause_reason = coalesce(vault_generations.pause_reason, excluded.pause_reason)
	where vault_generations.published_at is null
$$;
