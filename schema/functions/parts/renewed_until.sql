-- The end of the term that `_now` lies in, of a hire that renews and whose recorded term ended at
-- `_expires_at`. Terms are whole 24-hour days, in any time zone of the session.
create function renewed_until(_expires_at timestamptz, _term_days smallint, _now timestamptz)
returns timestamptz language sql stable as $$
	select _expires_at + make_interval(secs =>
		((floor(extract(epoch from _now - _expires_at) / (_term_days * 86400)) + 1) * (_term_days * 86400))::double precision)
$$;
