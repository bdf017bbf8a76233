-- Locks a wallet's active grant until the end of the transaction, and returns it. Rejects another grant as
-- assert_session rejects a revoked session.
create function lock_grant(_id uuid, _wallet text, _now timestamptz) returns grants language plpgsql as $$
declare
	consent grants;
begin
	select * into consent from grants where id = _id and wallet = _wallet for no key update;
	if not found or not is_active_grant(consent, _now) then
		raise exception 'the grant has ended' using errcode = 'AC401';
	end if;
	return consent;
end $$;
