-- Records the outcomes on the chain (`settled`, `failed` or `expired`) of payments for requests that no
-- call waits for, each once. The four lists have an entry for each payment. The next call of
-- settle_request_payment gets a success that no call has had.
create function record_request_outcomes(_ids uuid[], _outcomes text[], _slots bigint[], _payers_faults boolean[],
	_fee_step bigint, _now timestamptz)
returns table (recorded integer, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	to_notify := resolve_request_payments(_ids, _outcomes, _slots, _payers_faults, _fee_step, _now);
	select count(*) into recorded from request_payments where id = any (_ids) and resolved_at = _now;
	return next;
end $$;
