-- Whether a price may be paid: it has not ended, or did so less than ten minutes ago (SUPERSEDED_PRICE_MS of
-- rules.ts, x402).
create function price_holds(_ended_at timestamptz, _now timestamptz) returns boolean language sql immutable as $$
	select _ended_at is null or _ended_at > _now - interval '10 minutes'
$$;
