-- Computes the key of a URL that may be longer than an index entry: its SHA-256 in hexadecimal, as in
-- lib/keys/bytes.ts.
create function url_hash(_url text) returns text language sql stable as $$
	select encode(sha256(convert_to(_url, 'UTF8')), 'hex')
$$;
