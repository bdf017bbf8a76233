-- Deletes old rows of payments for requests: payments that failed or expired before `_before`, and days of
-- network fees before it. Also deletes failures that no longer bar a payer, and prices past their last use.
-- Priced routes are deleted after 30 days out of the catalog; one that its owner hides, once its price has
-- ended. At most `_limit` of each. Settled payments stay. Safe to run twice at once.
create function delete_old_request_rows(_before timestamptz, _limit integer, _now timestamptz)
returns table (payments integer, failures integer, prices integer, days integer, resources integer)
language plpgsql security definer set search_path from current as $$
#variable_conflict use_column
begin
	delete from request_payments where id = any (array(
		select id from request_payments where status in ('failed', 'expired') and resolved_at < _before
		order by resolved_at limit _limit for update skip locked));
	get diagnostics payments = row_count;
	delete from payer_failures where ctid = any (array(
		select ctid from payer_failures
		where failed_at[1] <= _now - interval '1 hour' -- BAR_MS of lib/x402/rules.ts
			and (barred_until is null or barred_until <= _now)
		order by failed_at[1] limit _limit for update skip locked));
	get diagnostics failures = row_count;
	delete from request_prices where ctid = any (array(
		select ctid from request_prices where ended_at <= _now - interval '12 minutes' -- KNOWN_PRICE_MS
		order by ended_at limit _limit for update skip locked));
	get diagnostics prices = row_count;
	delete from sponsored_days where day = any (array(
		select day from sponsored_days where day < (_before at time zone 'UTC')::date
		order by day limit _limit for update skip locked));
	get diagnostics days = row_count;
	delete from request_resources where ctid = any (array(
		select ctid from request_resources
		where state <> 'listed' and changed_at <= _now - interval '30 days' -- UNLISTED_RESOURCE_MS
			and (not is_hidden or code = 'price_ended')
		order by changed_at limit _limit for update skip locked));
	get diagnostics resources = row_count;
	return next;
end $$;
