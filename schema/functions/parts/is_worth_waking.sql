-- Decides whether the database is woken for an attempt at a target at `_at`; what it is not woken for is
-- attempted with whatever else wakes it, at the latest at the next tick. It is woken for the first retries
-- of what was just put in line (`_is_fresh`, and `_at` is not after `_soon`), which follow a request; and for
-- later ones of a proven target. Both have limits by the day, the second also over all targets, since wallets
-- and endpoints cost nothing: `_in_all` for targets that began to fail after `_failing_since`, of which the
-- others get `_in_all_of_dead`. The caller has locked the target.
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
