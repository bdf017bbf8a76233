-- Decides whether the database is woken for an attempt at a destination at `_at`. Otherwise the attempt
-- waits for any other wake-up, at the latest the next scheduled run. Two kinds of attempts wake it: soon
-- retries of a fresh delivery (`_is_fresh`), and later ones of a proven destination. Both have daily limits,
-- the second also over all destinations, since wallets and endpoints cost nothing. Destinations that have
-- failed for a day have a smaller limit. The caller has locked the destination.
create function is_worth_waking(destination webhook_targets, _at timestamptz, _is_fresh boolean, _limits json, _now timestamptz)
returns boolean language plpgsql as $$
declare
	_day timestamptz := date_trunc('day', _now, 'UTC');
	_is_proven boolean := destination.proven_at is not null;
	_is_good boolean := _is_proven and coalesce(destination.failing_since > _now - limit_span(_limits, 'recentFailureMs'), true);
	_is_soon boolean := _is_fresh and _at <= _now + limit_span(_limits, 'soonMs');
begin
	return _is_soon and _is_good or (_is_soon or _is_proven)
		and count_wake('awaited ' || destination.wallet || ' ' || destination.url_hash, _day,
			(_limits ->> 'wakesPerDestination')::integer)
		and (_is_soon or count_wake('all awaited', _day,
			(_limits ->> case when _is_good then 'wakesInAll' else 'wakesOfDead' end)::integer));
end $$;
