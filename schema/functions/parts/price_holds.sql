-- Whether a price may be paid: it has not ended, or did so less than ten minutes ago.
create function price_holds(_ended_at timestamptz, _now timestamptz) returns boolean language sql immutable as $$
	select _ended_at is null or _ended_at > _now - interval '10 minutes' -- SUPERSEDED_PRICE_MS of lib/x402/rules.ts
$$;
