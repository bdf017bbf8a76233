-- Returns the URL of the route that a price is named after, such as `GET /forecast/:city`, at the origin of
-- the agent's endpoint. Null if the name is not a method and a path, or the agent has no endpoint.
create function price_url(_name text, _api_endpoint text) returns text language sql immutable as $$
	select regexp_replace(lower(substring(_api_endpoint from '(?i)^https?://[^/?#]+')), '^(https:.*):443$', '\1')
		|| substring(_name from '^(?:GET|HEAD|POST|PUT|PATCH|DELETE) (/\S*)$')
$$;
