-- Takes `_count` slots of a counter for attempts at a target, or puts the target in line. Returns null,
-- or until when the target is held: a minute or hour in which its turn comes. In a line the target that
-- has waited longest is first, and one target of a wallet goes before a second of it: targets that got
-- their places in this minute or hour count, too, since a wallet's next target would else have the place
-- of the one before. The caller has locked the target. Targets of the line are read without a lock: two
-- at once may change places, but the counter holds.
create function take_place(target webhook_targets, _line text, _counter text, _since timestamptz, _length interval,
	_count integer, _limit integer, _now timestamptz)
returns timestamptz language plpgsql as $$
#variable_conflict use_column
declare
	-- So many of a line are looked at, those whose turn comes first: who is behind them waits longer than they.
	looked_at constant integer := 1000;
	_waiting_since timestamptz := coalesce(target.waiting_since, _now);
	_others integer;
	_ahead integer;
	_ahead_now integer;
	_left integer;
	_turn timestamptz;
begin
	with others as (
		select wallet, url_hash, waiting_since, held_until from webhook_targets
		where line = _line and held_until >= _since and (wallet, url_hash) <> (target.wallet, target.url_hash)
		order by held_until limit looked_at),
	waiting as (
		select * from others union all select target.wallet, target.url_hash, _waiting_since, null),
	wallets as (
		select wallet, coalesce((
			select attempts from webhook_hosts where host = _line || ' of ' || wallet and since = _since), 0) as had
		from (select distinct wallet from waiting) as each),
	placed as (
		select wallet, url_hash, waiting_since, held_until, had,
			row_number() over (partition by wallet order by waiting_since, url_hash) as place
		from waiting join wallets using (wallet))
	select count(*),
		count(*) filter (where (other.place, other.waiting_since, other.url_hash)
			< (mine.place, mine.waiting_since, mine.url_hash)),
		count(*) filter (where other.held_until < _since + _length
			and (other.had + other.place, other.waiting_since, other.url_hash)
			< (mine.had + mine.place, mine.waiting_since, mine.url_hash))
	into _others, _ahead, _ahead_now
	from placed as mine join placed as other on other.held_until is not null
	where mine.held_until is null;

	if _count <= _limit - _ahead_now and take_slots(_counter, _since, _count, _limit - _ahead_now) then
		if _others > 0 then
			perform settle_slots(_line || ' of ' || target.wallet, _since, 1);
		end if;
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
