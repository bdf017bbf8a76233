-- Records what the chain shows of payments for requests that nobody waits for (`settled`, `failed` or
-- `expired`), each once; the four lists have an entry for each payment. The next call of
-- settle_request_payment is told of a success that nobody was told yet.
create function record_request_outcomes(_ids uuid[], _outcomes text[], _slots bigint[], _payers_faults boolean[],
	_fee_step bigint, _now timestamptz)
returns table (recorded integer, nudges text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	nudges := resolve_request_payments(_ids, _outcomes, _slots, _payers_faults, _fee_step, _now);
	select count(*) into recorded from request_payments where id = any (_ids) and resolved_at = _now;
	return next;
end $$;
