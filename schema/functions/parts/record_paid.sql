-- Counts collected charges: in the sums of hires and owners' layers, and by their fees. A hire of one's own
-- agent does not count. The caller must count each charge once, ever: nothing here prevents a second count.
-- The caller has locked the agents. `_fee_step` is the setting FEE_STEP in lamports, more than 0.
create function record_paid(_collected charges[], _fee_step bigint, _now timestamptz) returns void language plpgsql as $$
#variable_conflict use_column
begin
	-- The agents of these hires are locked, so no other transaction changes these rows.
	insert into hire_payments (hire_id, collected)
	select hire_id, sum(amount) from unnest(_collected) where owner <> hirer group by hire_id
	on conflict (hire_id) do update set collected = hire_payments.collected + excluded.collected;

	insert into owner_layers (owner, layer, fee)
	select owner, layer, sum(fee) from unnest(_collected) where owner <> hirer and layer is not null
	group by owner, layer order by owner, layer
	on conflict (owner, layer) do update set fee = owner_layers.fee + excluded.fee;

	perform list_paid(array(select agent_id from unnest(_collected) where owner <> hirer), _now);
	perform count_fees(array_agg(agent_id), array_agg(owner), array_agg(hirer), array_agg(fee), array_agg(0::bigint), _fee_step)
	from unnest(_collected);
end $$;
