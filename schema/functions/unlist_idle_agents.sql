-- Deletes the search words and the listings by layer of idle agents. An idle agent was not registered,
-- hired or paid in the last 30 days. Its owner has not logged in since and is not verified, by a valid
-- attestation that a third party or the chain has verified. Reads up to `_limit` agents whose
-- `listed_until` has passed, oldest first, and gives agents that are not idle a later date. Skips agents
-- and wallets that another transaction has locked.
create function unlist_idle_agents(_limit integer, _now timestamptz)
returns table (checked integer, unlisted integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
declare
	_due uuid[];
	_owners text[];
	_busy text[];
begin
	_due := array(select id from agents where is_listed and listed_until <= _now order by listed_until limit _limit);
	_owners := array(select distinct pubkey from agents where id = any (_due));
	-- A login locks its wallet before its agents.
	_busy := array(
		select address from wallets where address = any (_owners)
		except select address from (
			select address from wallets where address = any (_owners) order by address for share skip locked) as locked);
	_due := array(
		select id from agents
		where id = any (_due) and is_listed and listed_until <= _now and not pubkey = any (_busy)
		order by id for no key update skip locked);

	return query
	with used as (
		select owner, greatest(
			(select idle_after(last_login_at) from wallets where address = owner),
			case when exists (
				select from attestations
				where wallet = owner and (verification_level in ('third_party_verified', 'on_chain_proven'))
					and (expires_at is null or expires_at > _now))
			then idle_after(_now) end) as until
		from unnest(_owners) as owner),
	checked as (
		update agents set is_listed = coalesce(until > _now, false), listed_until = greatest(listed_until, until)
		from used where id = any (_due) and pubkey = owner
		returning is_listed)
	select count(*)::integer, (count(*) filter (where not is_listed))::integer from checked;
end $$;
