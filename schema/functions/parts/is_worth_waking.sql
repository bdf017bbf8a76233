-- Decides whether the database is woken for an attempt at a destination at `_at`. Otherwise the attempt
-- waits for any other wake-up, at the latest the next scheduled run. Two kinds of attempts wake it: soon
-- retries of a fresh delivery (`_is_fresh`), and later ones of a proven destination, up to the retry after
-- two hours. Both have daily limits, the second also over all destinations of paying and of unpaid wallets,
-- since wallets and endpoints cost nothing. The caller has locked the destination.
create function is_worth_waking(destination webhook_targets, _at timestamptz, _is_fresh boolean, _limits json, _now timestamptz)
returns boolean language plpgsql as $$
declare
	_day timestamptz := date_trunc('day', _now, 'UTC');
	_is_good boolean := destination.proven_at is not null
		and coalesce(_at <= destination.failing_since + limit_span(_limits, 'wakingMs'), true);
	_is_soon boolean := _is_fresh and _at <= _now + limit_span(_limits, 'soonMs');
	_is_paying boolean := is_paying(destination.wallet);
begin
	return _is_soon and _is_good or (_is_soon or _is_good)
		and count_wake('awaited ' || destination.wallet || ' ' || destination.url_hash, _day,
			(_limits ->> 'wakesPerDestination')::integer)
		and (_is_soon or count_wake(case when _is_paying then 'all awaited paying' else 'all awaited' end, _day,
			(_limits ->> case when _is_paying then 'wakesOfPaying' else 'wakesOfUnpaid' end)::integer));
end $$;
