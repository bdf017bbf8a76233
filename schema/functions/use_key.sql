-- Lets a grant's key get an access token: spends the nonce of the assertion that the key signed. Locks the
-- grant. Another session epoch of the wallet ends the grant. A key of another grant changes nothing.
-- `last_used_at` changes once an hour at most, since an index has it.
-- outcome: issued | nonce_spent | grant_ended
-- nullable: wallet, epoch, permissions, expires_at
-- types: wallet Wallet, permissions GrantablePermission[]
create function use_key(_id uuid, _public_key text, _nonce text, _nonce_expires_at timestamptz, _now timestamptz)
returns table (outcome text, wallet text, epoch integer, permissions text[], expires_at timestamptz)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	use_written constant interval := interval '1 hour'; -- USE_WRITTEN_MS of lib/auth/grants/rules.ts
	consent grants;
begin
	select * into consent from grants where id = _id and public_key = _public_key for no key update;
	if not found or not is_active_grant(consent, _now) or consent.session_generation is distinct from
			(select session_generation from wallets where address = consent.wallet) then
		update grants set ended_at = _now where id = consent.id and ended_at is null;
		outcome := 'grant_ended';
	else
		insert into spent_nonces (nonce, expires_at) values (_nonce, _nonce_expires_at) on conflict do nothing;
		outcome := case when found then 'issued' else 'nonce_spent' end;
	end if;
	if outcome <> 'issued' then
		return query select outcome, null::text, null::integer, null::text[], null::timestamptz;
		return;
	end if;
	update grants set last_used_at = _now where id = consent.id and last_used_at < _now - use_written;
	return query select outcome, consent.wallet, consent.session_generation, consent.permissions, consent.expires_at;
end $$;
