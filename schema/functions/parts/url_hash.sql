-- What a URL is kept by where it may be longer than an index entry: its SHA-256 in hexadecimal, as
-- lib/keys/bytes.ts has it.
create function url_hash(_url text) returns text language sql stable as $$
	select encode(sha256(convert_to(_url, 'UTF8')), 'hex')
$$;
