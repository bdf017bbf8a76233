-- Takes `_count` slots of a counter for attempts at a target, or puts the target in line. Returns null,
-- or until when the target is held: a minute or hour in which its turn comes. In a line the target that
-- has waited longest is first, and one target of a wallet goes before a second of it. The caller has
-- locked the target. Targets of the line are read without a lock: two at once may change places, but
-- the counter holds.
create function take_place(target webhook_targets, _line text, _counter text, _since timestamptz, _length interval,
	_count integer, _limit integer, _now timestamptz)
returns timestamptz language plpgsql as $$
#variable_conflict use_column
declare
	-- So many of a line are looked at, those whose turn comes first: who is behind them waits longer than they.
	looked_at constant integer := 1000;
	_waiting_since timestamptz := coalesce(target.waiting_since, _now);
	_ahead integer;
	_ahead_now integer;
	_left integer;
	_turn timestamptz;
begin
	with waiting as (
		select wallet, url_hash, waiting_since, held_until from webhook_targets
		where line = _line and held_until >= _since and (wallet, url_hash) <> (target.wallet, target.url_hash)
		order by held_until limit looked_at),
	mine as (
		select 1 + count(*) as place from waiting
		where wallet = target.wallet and (waiting_since, url_hash) < (_waiting_since, target.url_hash)),
	placed as (
		select waiting_since, url_hash, held_until, row_number() over (
			partition by wallet order by waiting_since, url_hash)
			+ case when wallet = target.wallet and (waiting_since, url_hash) > (_waiting_since, target.url_hash)
				then 1 else 0 end as place
		from waiting)
	select count(*), count(*) filter (where held_until < _since + _length) into _ahead, _ahead_now
	from placed, mine
	where (placed.place, waiting_since, url_hash) < (mine.place, _waiting_since, target.url_hash);

	if _count <= _limit - _ahead_now and take_slots(_counter, _since, _count, _limit - _ahead_now) then
		update webhook_targets set line = null, waiting_since = null
		where wallet = target.wallet and url_hash = target.url_hash and waiting_since is not null;
		return null;
	end if;
	-- Those ahead that still get a place now are no longer ahead then.
	_left := _limit - coalesce((select attempts from webhook_hosts where host = _counter and since = _since), 0);
	_turn := _since + _length * (1 + greatest(0, _ahead - greatest(0, _left)) / _limit);
	update webhook_targets set line = _line, waiting_since = _waiting_since, held_until = _turn
	where wallet = target.wallet and url_hash = target.url_hash;
	return _turn;
end $$;
