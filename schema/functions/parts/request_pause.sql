-- Returns the shortest time between two requests for a proof to a URL.
create function request_pause() returns interval language sql immutable as $$
	select interval '5 minutes' -- REQUEST_MS of lib/events/limits.ts
$$;
