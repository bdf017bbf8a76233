-- Decides whether the database is woken for an attempt at a destination at `_at`. Otherwise the attempt
-- waits for any other wake-up, at the latest the next scheduled run. Two kinds of attempts wake it: retries
-- of a fresh delivery (`_is_fresh`, and `_at` is not after `_soon`), and later ones of a proven
-- destination. Both have daily limits, the second also over all destinations, since wallets and endpoints
-- cost nothing. That limit is `_in_all` for destinations that began to fail after `_failing_since`, and
-- `_in_all_of_dead` of it for others. The caller has locked the destination.
create function is_worth_waking(target webhook_targets, _at timestamptz, _is_fresh boolean, _soon timestamptz,
	_failing_since timestamptz, _day timestamptz, _per_target integer,
	_in_all integer, _in_all_of_dead integer)
returns boolean language plpgsql as $$
declare
	_is_proven boolean := target.proven_at is not null;
	_is_good boolean := _is_proven and coalesce(target.failing_since > _failing_since, true);
	_is_soon boolean := _is_fresh and _at <= _soon;
begin
	return _is_soon and _is_good or (_is_soon or _is_proven)
		and take_slots('awaited ' || target.wallet || ' ' || target.url_hash, _day, 1, _per_target)
		and (_is_soon or take_slots('all awaited', _day, 1,
			case when _is_good then _in_all else _in_all_of_dead end));
end $$;
