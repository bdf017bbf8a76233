-- Computes a payer's weight by its fees, in whole billionths (WEIGHT_UNIT of
-- lib/reputation/counterparties/rules.ts): 1 from a full step of fees on.
create function payer_weight(_fee numeric, _fee_step bigint) returns bigint language sql immutable as $$
	select div(least(_fee, _fee_step) * 1000000000, _fee_step)::bigint
$$;
