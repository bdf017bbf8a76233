-- What has become of a charge at `_now`, as chargeState (lib/payments/charges) computes it for reads. A
-- recorded charge may be in a collection, or have lapsed: LAPSE_DAYS of rules.ts (payments) after its hire
-- ended, if that has ended.
create function charge_state(_charge charges, _hire_ended_at timestamptz, _now timestamptz)
returns text language sql stable as $$
	select case when _charge.status <> 'recorded' then _charge.status
		when _charge.collection_id is not null then 'collecting'
		when _hire_ended_at + make_interval(secs => 30 * 86400) <= _now then 'lapsed'
		else 'recorded' end
$$;
