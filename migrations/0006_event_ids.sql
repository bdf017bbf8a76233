-- Custom migration: drizzle-kit knows no functions. A UUIDv7 (RFC 9562) of a given time, for statements that record
-- any number of events; PostgreSQL has its own from version 18 on only, and of its own clock's time.
CREATE FUNCTION "event_id"("at" timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
	-- Six bytes of milliseconds over a random UUID, whose version 4 becomes 7 by two more bits.
	SELECT encode(
		set_bit(set_bit(
			overlay(uuid_send(gen_random_uuid())
				PLACING substring(int8send(floor(extract(epoch FROM "at") * 1000)::bigint) FROM 3) FROM 1 FOR 6),
			52, 1), 53, 1),
		'hex')::uuid
$$;
