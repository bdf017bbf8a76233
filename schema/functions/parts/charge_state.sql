-- Computes the state of a charge at `_now`, like chargeState (lib/payments/charges) for reads. A recorded
-- charge may be in a collection. It lapses some time after the end of its hire.
create function charge_state(_charge charges, _hire_ended_at timestamptz, _now timestamptz)
returns text language sql stable as $$
	select case when _charge.status <> 'recorded' then _charge.status
		when _charge.collection_id is not null then 'collecting'
		when _hire_ended_at + make_interval(secs => 30 * 86400) <= _now then 'lapsed' -- LAPSE_DAYS of lib/payments/rules.ts
		else 'recorded' end
$$;
