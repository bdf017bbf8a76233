-- Schedules another request for a proof to an unconfirmed URL, since its owner has set it again: a
-- request_pause after the last request. Reserved tokens no longer delay it. Skips a destination that
-- another transaction has locked.
create function ask_again(_wallet text, _url text) returns void language sql as $$
	update webhook_targets set answered_at = null, reserved = 0,
		held_until = greatest(case when reserved = 0 then held_until end, answered_at + request_pause())
	where (wallet, url_hash) in (
		select wallet, url_hash from webhook_targets
		where wallet = _wallet and url_hash = url_hash(_url) and proven_at is null and answered_at is not null
		for update skip locked)
$$;
