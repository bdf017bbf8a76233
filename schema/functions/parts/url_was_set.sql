-- Applies the effects when an owner sets an endpoint's URL or enables it. Another URL inherits no waiting
-- delivery. With the same URL waiting deliveries are due now, or after the pause of a running attempt. An
-- unconfirmed URL is asked for a proof again; after a failed request within request_pause.
create function url_was_set(_endpoint_id uuid, _wallet text, _url_before text, _url text, _now timestamptz)
returns void language plpgsql as $$
begin
	if _url_before is distinct from _url then
		perform give_up_waiting(_endpoint_id);
	else
		perform release_held(_endpoint_id, _now);
	end if;
	perform ask_again(_wallet, _url);
	if _url_before = _url then
		-- The owner waits for it, so the end of the pause wakes the database. Skips a locked destination:
		-- the transaction that has locked it ends the pause.
		update webhook_targets set is_awaited = true, held_until = case
			when proven_at is null and failing_since is not null and reserved = 0
			then least(held_until, _now + request_pause()) else held_until end
		where (wallet, url_hash) in (
			select wallet, url_hash from webhook_targets
			where wallet = _wallet and url_hash = url_hash(_url) and held_until > _now
			for update skip locked);
	end if;
end $$;
