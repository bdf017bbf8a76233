-- Computes the protocol fee of a payment from one budget account, in lamports, like protocolFee of
-- lib/reputation/counterparties/rules.ts.
create function protocol_fee(_amount numeric, _fee_bps smallint) returns bigint language sql immutable as $$
	select div(_amount * _fee_bps + 9999, 10000)::bigint
$$;
