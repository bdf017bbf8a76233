-- Has the receiver at an unconfirmed URL asked for a proof once more, five minutes after it was asked
-- last, since its owner has set the URL anew: it waits no longer for tokens that were reserved. A destination
-- that another transaction has locked is left as it is.
create function ask_again(_wallet text, _url text) returns void language sql as $$
	update webhook_targets set answered_at = null, reserved = 0,
		held_until = greatest(case when reserved = 0 then held_until end, answered_at + interval '5 minutes')
	where (wallet, url_hash) in (
		select wallet, url_hash from webhook_targets
		where wallet = _wallet and url_hash = url_hash(_url) and proven_at is null and answered_at is not null
		for update skip locked)
$$;
