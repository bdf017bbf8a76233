-- Computes the amount of a charge by the hire's fee, in lamports, in the same steps as amountOf of
-- lib/payments/rules.ts. A numeric, since it may be too large; null if the work does not fit the fee.
create function charge_amount(_fee_model text, _fee_amount bigint, _units bigint, _captured_value bigint, _share bigint)
returns numeric language sql immutable as $$
	select case _fee_model
		when 'flat' then
			case when num_nonnulls(_captured_value, _share) = 0 then coalesce(_units, 1)::numeric * _fee_amount end
		when 'percentage' then
			case when num_nonnulls(_units, _share) = 0 then div(_captured_value::numeric * _fee_amount, 10000) end
		when 'hybrid' then
			case when num_nulls(_captured_value, _share) = 2 then coalesce(_units, 1)::numeric * _fee_amount
				when _share <= _captured_value then coalesce(_units, 1)::numeric * _fee_amount + _share end
	end
$$;
