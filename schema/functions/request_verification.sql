-- Enqueues a wallet's attestation for verification, unless it is queued or verified. A request is expedited
-- while fewer than `_expedited_places` expedited requests of the wallet are open, and its client address
-- has made fewer than `_expedited_per_address` today; otherwise it is normal. The lock of the wallet's row
-- in standings limits concurrent requests. The queue is ordered by the wallet's present weight as a payer;
-- asking again only updates that weight.
-- outcome: requested | unchanged | attestation_not_found | attestation_not_yours
create function request_verification(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _priority text, _expedited_places smallint, _address_hash text,
	_expedited_per_address integer, _now timestamptz)
returns table (outcome text)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	attestation attestations;
	_is_expedited boolean := false;
	_paid_weight bigint;
begin
	perform assert_session(_session_wallet, _session_generation);
	_paid_weight := coalesce((select paid_weight from standings where wallet = _wallet), 0);
	select * into attestation from attestations where id = _id for update;
	outcome := case
		when not found then 'attestation_not_found'
		when attestation.wallet <> _wallet then 'attestation_not_yours'
		when attestation.status <> 'rejected' then 'unchanged'
		else 'requested' end;
	if outcome = 'requested' then
		if _priority = 'expedited' then
			if count_by_address(_address_hash, 'day', _expedited_per_address, _now) then
				insert into standings (wallet, open_expedited) values (_wallet, 1)
				on conflict (wallet) do update set open_expedited = standings.open_expedited + 1
					where standings.open_expedited < _expedited_places;
				_is_expedited := found;
			end if;
		end if;
		update attestations set status = 'pending', priority = case when _is_expedited then 'expedited' else 'normal' end,
			requested_at = _now, paid_weight = _paid_weight, decided_at = null, decided_by = null, reason = null
		where id = attestation.id;
	elsif outcome = 'unchanged' and attestation.status in ('pending', 'in_review') then
		update attestations set paid_weight = _paid_weight
		where id = attestation.id and paid_weight <> _paid_weight;
	end if;
	return query select outcome;
end $$;
