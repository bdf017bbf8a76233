-- expand
-- Whether a wallet has set up payouts under the newest deployed key of payments: it has opened that payout
-- account here, or a hire's budget account approves it. Hirers can fund no budget for an older one.
CREATE OR REPLACE FUNCTION "has_payout_account"("owner" text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
	SET search_path = public, pg_temp AS $$
	WITH "newest" AS (SELECT coalesce(max("generation"), 0) AS "generation" FROM "payment_generations")
	SELECT EXISTS (SELECT FROM "payment_intents", "newest" WHERE "wallet" = $1 AND "kind" = 'open_collector'
			AND "status" = 'landed' AND "payment_intents"."generation" >= "newest"."generation")
		OR EXISTS (SELECT FROM "budget_accounts", "newest" WHERE "budget_accounts"."owner" = $1
			AND coalesce("budget_accounts"."generation", 1) >= "newest"."generation")
$$;
