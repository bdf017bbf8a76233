-- Makes a wallet a pioneer: takes a spot, uses the invite code, and records the pioneer, its referrer's
-- bounty and counterparty, and the event. The lock of the code's row decides which wallet uses it. The lock
-- of the counter's row decides who gets the last spot, and by which code a wallet joins. All calls lock in
-- this order: code, counter, pioneer, dealings. `_code` is null for an invalid code; otherwise it is the
-- code as stored from now on. `_spots` is the number of all spots.
-- outcome: joined | already_registered | invite_code_invalid | no_spots_left
-- optional: code, code_hash, referred_by
create function redeem_invite(
	_wallet text, _code text, _code_hash text, _referred_by text, _spots integer, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	invite invite_codes;
	_taken integer;
	_referrer text;
	_to_notify text[] := '{}';
begin
	select * into invite from invite_codes
	where code_hash = _code_hash and used_at is null and revoked_at is null and (expires_at is null or expires_at > _now)
	for update;
	if found then
		select taken into _taken from pioneer_spots for no key update;
	end if;
	outcome := case
		when exists (select from pioneers where wallet = _wallet) then 'already_registered'
		when invite.id is null then 'invite_code_invalid'
		when _taken >= _spots then 'no_spots_left'
		else 'joined' end;
	if outcome = 'joined' then
		update pioneer_spots set taken = taken + 1;
		update invite_codes set used_at = _now where id = invite.id;
		insert into pioneers (wallet, invite_id, invite_code, tier, joined_at, referred_by)
		values (_wallet, invite.id, _code, invite.tier, _now, _referred_by);
		-- Only a pioneer earns a bounty.
		insert into referral_bounties (wallet, referrer, earned_at)
		select _wallet, wallet, _now from pioneers where wallet = _referred_by and wallet <> _wallet
		returning referrer into _referrer;
		if found then
			insert into dealings (wallet, kind, other) values (_referrer, 'counterparty', _wallet) on conflict do nothing;
			if found then
				insert into standings (wallet, counterparties) values (_referrer, 1)
				on conflict (wallet) do update set counterparties = standings.counterparties + 1;
			end if;
		end if;
		_to_notify := publish_event('pioneer.joined', _now, _now, _wallet, _referrer, null,
			json_build_object('wallet', _wallet, 'tier', invite.tier, 'referrer', _referrer));
	end if;
	return query select outcome, _to_notify;
end $$;
