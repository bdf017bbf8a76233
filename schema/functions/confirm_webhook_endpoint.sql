-- Proves the URL of a webhook endpoint of the wallet, or of its agent's webhook, by the challenge that its
-- receiver got. `to_notify`: the endpoints with due deliveries.
-- outcome: confirmed | wrong_challenge | endpoint_not_found
create function confirm_webhook_endpoint(_session_wallet text, _session_generation integer,
	_id uuid, _wallet text, _challenge text, _now timestamptz)
returns table (outcome text, to_notify text[])
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	endpoint record;
begin
	perform assert_session(_session_wallet, _session_generation);
	select * into endpoint from webhook_endpoints() as candidate where candidate.id = _id and candidate.wallet = _wallet;
	if not found then
		return query select 'endpoint_not_found', '{}'::text[];
		return;
	end if;
	update webhook_targets set
		held_until = case when proven_at is not null then held_until end,
		reserved = case when proven_at is not null then reserved else 0 end,
		proven_at = coalesce(proven_at, _now)
	where wallet = _wallet and url_hash = endpoint.url_hash and challenge = _challenge;
	if not found then
		return query select 'wrong_challenge', '{}'::text[];
		return;
	end if;
	return query select 'confirmed', due_endpoints(_wallet, endpoint.url, _now);
end $$;
