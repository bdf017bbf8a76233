-- Checks that a grant has not ended, and that it has neither expired nor been unused for 30 days at `_now`.
create function is_active_grant(_grant grants, _now timestamptz) returns boolean language sql stable as $$
	select _grant.ended_at is null and _grant.expires_at > _now
		and _grant.last_used_at > _now - make_interval(secs => 30 * 86400) -- GRANT_UNUSED_MS of lib/auth/grants/rules.ts
$$;
