-- Returns the start of a hire's period: the term of whole 24-hour days that ends at `_expires_at`.
create function period_start(_expires_at timestamptz, _term_days smallint)
returns timestamptz language sql stable as $$
	select _expires_at - make_interval(secs => _term_days * 86400)
$$;
