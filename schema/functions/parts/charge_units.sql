-- Computes the recorded units of a charge: unitsOf of lib/payments/rules.ts.
create function charge_units(_fee_model text, _units bigint) returns bigint language sql immutable as $$
	select case when _fee_model <> 'percentage' then coalesce(_units, 1) end
$$;
